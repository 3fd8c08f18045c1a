// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck reload`: makes a running daemon read its configuration again.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Makes a running 'aircheck serve' read its configuration again.",
        discussion: """
            Stations that did not change are not touched: their recordings go on, and their listeners hear nothing of \
            it. If something is wrong with the file, nothing changes, and you are told what is wrong.
            """)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        _ = try DaemonQuestion.ask(daemon.client, ControlTarget("/v1/reload"), method: "POST")
        Console.put("the configuration is read and applies")
    }
}
