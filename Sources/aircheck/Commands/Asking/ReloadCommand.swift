// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import RadioFormats
import Words

/// `aircheck reload`: makes a running daemon read its configuration again.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Makes a running 'aircheck serve' read its configuration again.",
        discussion: """
            Stations that did not change are not touched: their recordings continue, and their listeners notice \
            nothing. If the file has problems, they are listed, and nothing changes. If listening on an address \
            of 'listen' fails, Aircheck reports it, applies the rest, and keeps trying that address. If the new rules \
            delete more recordings than the old ones, they wait for an hour, so that a mistake can be corrected.
            """)

    @Flag(help: "Let new rules delete recordings at once. Only for the daemon's user and root.")
    var now = false

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/reload").adding("now", now ? "1" : nil)
        let answer = try daemon.client.answer(target, method: .post)
        let failures = Self.failures(answer)
        Console.put("the configuration was read and applies\(failures.isEmpty ? "" : ", but not all of it works yet")")
        for line in RetentionList.forecast(answer["retention"] ?? .null) { Console.put(line) }
        var console = Console()
        for failure in failures { console.say("error: \(failure.words); \(Wording.isTriedAgain)") }
        try ExitStatus.check(failures.first)
    }

    /// Why listening failed, for each failed address.
    static func failures(_ answer: JSONValue) -> [Failure] {
        answer["not_listening"].list.map { Failure(json: $0) }
    }
}
