// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Glibc
import RadioFormats

/// `aircheck status`: shows the state of a running daemon.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what a running 'aircheck serve' does at the moment.",
        discussion: """
            First a summary and what is wrong, then a table. On a terminal it is kept up to date until you press \
            Ctrl-C; otherwise it is printed once.
            """)

    @Flag(help: "Only stations that send no audio although they are needed, or whose recordings fail.")
    var failing = false

    @Flag(help: "Print the table once, even on a terminal.")
    var once = false

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let status = try ask()
        if options.json {
            Console.put(json: (failing ? StatusTable.onlyFailing(status) : status))
            return
        }
        guard !once, isatty(STDOUT_FILENO) == 1,
            Console.canRewrite(terminal: getenv("TERM").map { String(cString: $0) })
        else {
            for line in StatusTable.lines(status, width: .max, onlyFailing: failing) { Console.put(line) }
            return
        }
        try redraw(status)
    }

    private func ask() throws -> JSONValue {
        try options.client.answer(ControlTarget("/v1/status"))
    }

    /// Redraws the table each second. Ctrl-C ends the process: there is nothing to finish.
    private func redraw(_ first: JSONValue) throws {
        var status = first
        var drawn = 0
        while true {
            let size = Console.size
            // A table that is taller than the window cannot be overwritten.
            let table = StatusTable.lines(status, width: size.columns, onlyFailing: failing)
            let lines = StatusTable.fitting(table, height: max(1, size.rows - 1), width: size.columns)
            let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
            Console.put(up + lines.map { "\u{1B}[K\($0)" }.joined(separator: "\n") + "\u{1B}[J")
            drawn = lines.count
            poll(nil, 0, 1_000)
            status = try ask()
        }
    }
}
