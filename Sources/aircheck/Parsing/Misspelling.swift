// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A word of the command line that is neither an option nor a subcommand, and what was probably meant.
///
/// The argument parser reports the first error that it meets. After a misspelt option, that error is often about the
/// option's value, which the parser then counts as an extra address.
struct Misspelling: Hashable {
    /// The command whose words were misspelt: its names, beginning with the program's name.
    var command: [String]
    var problem: String
    /// What was probably meant; nil if no known word is near.
    var suggestion: String?

    var message: String { problem + (suggestion.map { ". Did you mean '\($0)'?" } ?? ".") }

    /// The first misspelling in `arguments`, which exclude the program's name; nil if there is none.
    static func find(in arguments: [String], of program: CommandOutline) -> Misspelling? {
        var command = program
        var path = [program.name]
        var rest = arguments[...]
        // `help` is a command that the parser adds by itself. The words after it are commands.
        while rest.first == "help" { rest = rest.dropFirst() }
        while !command.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") {
            guard let next = command.subcommands.first(where: { $0.name == word }) else {
                let near = NearestWord.nearest(to: word, in: command.subcommands.map(\.name))
                return Misspelling(
                    command: path, problem: "Unknown command '\(shown(word))'",
                    suggestion: near)
            }
            (command, path) = (next, path + [next.name])
            rest = rest.dropFirst()
        }
        for word in rest {
            // The words after `--` are not options, even if they look like options.
            if word == "--" { break }
            guard let option = unknownOption(word, of: command) else { continue }
            let near = NearestWord.nearest(to: option.name, in: command.options.filter { $0.count > 1 }.sorted())
            // A cluster of letters (-qv) is left to the parser, unless a long option was probably meant.
            if option.dashes == "-", near == nil { continue }
            return Misspelling(
                command: path, problem: "Unknown option '\(option.dashes)\(shown(option.name))'",
                suggestion: near.map { "--" + $0 })
        }
        return nil
    }

    /// The name of a long option that the command does not have; nil for everything else.
    private static func unknownOption(_ word: String, of command: CommandOutline) -> (dashes: String, name: String)? {
        let dashes = word.prefix { $0 == "-" }
        let name = String(word.dropFirst(dashes.count).prefix { $0 != "=" })
        // A negative time, such as -2s, is a value.
        guard (1...2).contains(dashes.count), name.count > 1, name.first?.isLetter == true else { return nil }
        let isKnown = command.options.contains(name) && dashes.count == 2
        return isKnown || parserOptions.contains(name) ? nil : (String(dashes), name)
    }

    /// Options that the parser adds, or that the help hides.
    private static let parserOptions: Set<String> = [
        "help", "version", "help-hidden", "generate-completion-script", "experimental-dump-help",
    ]

    private static func shown(_ word: String) -> String { word.cut(toBytes: 60) }
}
