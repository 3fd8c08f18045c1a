// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Stations

/// `aircheck record`: one station to disk.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records a station until Ctrl-C, or for a given time.",
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried.

            Files are named by station, date and time. A file that is still growing ends in .part and can be played \
            already. Beside each file lies a .json with what is known of it: titles, times, gaps.

            Exit status: 0 done, 64 wrong usage, 69 the station could not be reached or sent no audio, 74 the \
            recording could not be written, or not to its end.
            """)

    @Argument(help: ArgumentHelp("The station's address; further ones are mirrors.", valueName: "url"))
    var urls: [String]

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Station") var station: StationOptions

    func validate() throws {
        _ = try session()
    }

    func run() throws {
        var run = SessionRun(try session(), wantsJSON: recording.json)
        try run.run()
    }

    private func session() throws -> Session {
        try checked {
            let settings = try station.settings(urls, giveUp: recording.giveUp.duration)
            return Session(parts: [.init(programme: .station(settings), recording: try recording.spec(orElse: "."))])
        }
    }
}
