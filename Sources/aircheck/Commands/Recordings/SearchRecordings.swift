// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import RadioFormats
import WallClock
import Words

/// `aircheck recordings search`.
struct SearchRecordings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds titles and artists in recordings, and when they were on air.")

    @Argument(help: ArgumentHelp("Words, or their beginnings; the title must have all of them.", valueName: "words"))
    var words: [String]

    @OptionGroup var filter: RecordingFilter

    @OptionGroup var options: AnswerOptions

    func run() throws {
        options.show(try options.client.answer(target()), TitlesTable.lines)
    }

    /// The request to the daemon.
    func target(in zone: any TimeZoneRules = LocalZone()) -> ControlTarget {
        filter.added(to: ControlTarget("/v1/titles"), in: zone).adding("text", words.joined(separator: " "))
    }
}

/// The table that `aircheck recordings search` prints. Pure.
enum TitlesTable {
    static func lines(_ answer: JSONValue) -> [String] {
        let titles = answer["titles"].list
        guard !titles.isEmpty else { return ["no title has these words"] }
        let rows = titles.map { title in
            ["at", "station_name", "text", "recording"].map { TitleText.cleaned(title[$0]?.stringValue ?? "") }
        }
        let lines = TextTable.lines([["ON AIR", "STATION", "TITLE", "RECORDING"]] + rows, width: .max)
        guard answer["more"]?.boolValue == true else { return lines }
        return lines + [
            "there are more: these are the newest \(titles.count); --from, --until, --station and --show narrow the search"
        ]
    }
}
