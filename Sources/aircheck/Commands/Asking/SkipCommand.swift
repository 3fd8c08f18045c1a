// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck skip`: skips a broadcast of a show.
struct SkipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Makes a running 'aircheck serve' not record a show on one day.",
        discussion: """
            The configuration stays as it is, and the daemon remembers the broadcast over restarts. If the show is on \
            already, its recording ends.

              aircheck skip morning tomorrow
              aircheck skip fip/morning 2026-12-24
            """)

    @Argument(help: ArgumentHelp("The show's ID, or STATION/SHOW.", valueName: "show"), completion: .shows)
    var show: String

    @Argument(help: ArgumentHelp("today, tomorrow, a day such as fri, or a date.", valueName: "day"))
    var day: String

    @Flag(help: "Record it after all.")
    var undo = false

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/show/skip").adding("show", show).adding("date", day)
            .adding("undo", undo ? "1" : nil)
        let answer = try daemon.client.answer(target, method: .post)
        let verb = undo ? "is recorded" : "is not recorded"
        for line in BroadcastLines.lines(answer, verb) { Console.put(line) }
    }
}
