// SPDX-License-Identifier: MIT

import Foundation

/// The output of `aircheck --experimental-dump-help`, with the members that manual pages need.
struct HelpDump: Decodable {
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let defaultSubcommand: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
        let shouldDisplay: Bool
    }

    struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }

        struct Name: Decodable {
            enum Kind: String, Decodable { case long, short, longWithSingleDash }

            let kind: Kind
            let name: String

            /// The name with its dashes.
            var text: String { (kind == .long ? "--" : "-") + name }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let sectionTitle: String?
        let defaultValue: String?
        let allValueStrings: [String]?
        let shouldDisplay: Bool
    }

    let command: Command

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(HelpDump.self, from: Data(text.utf8))
    }
}

extension HelpDump.Command {
    /// The subcommands that the help lists; `help` itself is not one.
    var shown: [HelpDump.Command] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    /// The arguments that the help lists.
    var shownArguments: [HelpDump.Argument] { (arguments ?? []).filter(\.shouldDisplay) }
}
