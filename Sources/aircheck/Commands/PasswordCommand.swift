// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPServer

/// `aircheck password`: prints a line for a user file.
struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Makes a line for a file of users, with the hash of a password.",
        discussion: """
            Asks for the password, or reads one line of standard input, and prints name:hash. Add that line to the \
            file that --users names:

              aircheck password anna >> users
            """)

    @Argument(help: ArgumentHelp("The name that goes with the password.", valueName: "name"))
    var name: String

    func validate() throws {
        try checked { try UserList.check(name: name) }
    }

    func run() throws {
        guard let password = PasswordPrompt.ask("password:"), let hash = PasswordHash(hashing: password) else {
            throw ValidationError("A password has between 1 and \(PasswordHash.longestPassword) bytes, on one line.")
        }
        Console.put("\(name):\(hash.text)")
    }
}
