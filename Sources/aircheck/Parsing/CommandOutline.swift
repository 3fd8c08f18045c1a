// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioFormats

/// The subcommands of a command and the names of its options, as the argument parser knows them.
struct CommandOutline {
    let name: String
    let subcommands: [CommandOutline]
    /// Names without dashes, including those of one letter.
    let options: Set<String>

    /// The whole program's outline (`--experimental-dump-help`); nil if the parser describes it in another way.
    static let program = CommandOutline(json: Aircheck._dumpHelp())

    /// `json`: a command as the parser describes it.
    init?(json: String) {
        let bytes = Array(json.utf8)
        guard let object = try? JSONValue(parsing: bytes, limit: bytes.count), let command = object["command"] else {
            return nil
        }
        self.init(command)
    }

    private init(_ command: JSONValue) {
        name = command["commandName"]?.stringValue ?? ""
        subcommands = command["subcommands"].list.map(CommandOutline.init)
        let arguments = command["arguments"].list
        options = Set(arguments.flatMap { $0["names"].list }.compactMap { $0["name"]?.stringValue })
    }
}
