// SPDX-License-Identifier: MIT

import ArgumentParser

@testable import aircheck

/// Makes the manual pages of the program and its subcommands from their help.
enum CommandPage {
    /// One page for the program, and one for each subcommand. A subcommand's own subcommands are on its page.
    static func all() throws -> [ManualPage] {
        let root = try HelpDump(parsing: Aircheck._dumpHelp()).command
        let types = Dictionary(
            uniqueKeysWithValues: Aircheck.configuration.subcommands.map { ($0.configuration.commandName ?? "", $0) })
        let names = root.shown.map { "aircheck-\($0.commandName)(1)" }
        let pages = try root.shown.map { command in
            guard let type = types[command.commandName] else {
                throw ValidationError("\(command.commandName) has no commandName in its configuration")
            }
            return try page(of: command, type)
        }
        return [try page(of: root, pages: names)] + pages
    }

    private static func page(of root: HelpDump.Command, pages: [String]) throws -> ManualPage {
        let commands = root.shown.flatMap { command in
            [".TP", ".BR \(Roff.escaped("aircheck-" + command.commandName, isLiteral: true)) (1)"]
                + [Roff.text(command.abstract ?? "")]
        }
        let usage = ["aircheck <command> [<options>]", "aircheck help <command>"]
        return try ManualPage(
            name: root.commandName, number: 1,
            generated: beginning(root.commandName, root, [".nf"] + usage.map { Roff.usage($0) } + [".fi"])
                + [.init(title: "COMMANDS", lines: commands), .init(title: "OPTIONS", lines: options(root))],
            related: pages + ["aircheck.toml(5)"])
    }

    private static func page(of command: HelpDump.Command, _ type: any ParsableCommand.Type) throws -> ManualPage {
        let name = "aircheck-\(command.commandName)"
        var sections = beginning(name, command, usage(type))
        if !command.shown.isEmpty { sections.append(commands(of: command, type)) }
        sections.append(.init(title: "OPTIONS", lines: options(command)))
        sections.append(.init(title: "EXIT STATUS", lines: exitStatus(command)))
        let readsConfiguration = command.shownArguments.contains { $0.names?.contains { $0.name == "config" } == true }
        return try ManualPage(
            name: name, number: 1, generated: sections,
            related: ["aircheck(1)"] + (readsConfiguration ? ["aircheck.toml(5)"] : []))
    }

    private static func beginning(
        _ name: String, _ command: HelpDump.Command, _ usage: [String]
    ) -> [ManualPage.Section] {
        var abstract = command.abstract ?? ""
        if abstract.hasSuffix(".") { abstract.removeLast() }
        let summary = (abstract.prefix(1).lowercased() + abstract.dropFirst()).replacing(/'([^']+)'/) { $0.output.1 }
        return [
            .init(
                title: "NAME",
                lines: ["\(Roff.escaped(name, isLiteral: true)) \\- \(Roff.escaped(summary))"]),
            .init(title: "SYNOPSIS", lines: usage),
            .init(title: "DESCRIPTION", lines: description(command)),
        ]
    }

    // MARK: Parts of a page

    private static func usage(_ type: any ParsableCommand.Type) -> [String] {
        let lines = Aircheck.usageString(for: type).split(separator: "\n")
        // Long lines wrap, and their continuation is indented.
        guard lines.allSatisfy({ $0.count <= 72 }) else { return lines.flatMap { [".HP 4", Roff.usage($0)] } }
        return [".nf"] + lines.map { Roff.usage($0) } + [".fi"]
    }

    /// The overview from the help. The exit status is left out, because it has a section of its own.
    private static func description(_ command: HelpDump.Command) -> [String] {
        let paragraphs = [command.abstract ?? ""] + paragraphs(of: command).filter { !$0.hasPrefix(exitStatusLead) }
        return Array(
            paragraphs.map { paragraph in
                let lines = paragraph.split(separator: "\n")
                return lines.allSatisfy { $0.hasPrefix("  ") }
                    ? Roff.example(lines.map { $0.dropFirst(2) }) : [".PP", Roff.text(paragraph)]
            }.joined().drop { $0 == ".PP" })
    }

    private static let exitStatusLead = "Exit status: "

    /// The exit statuses that the help states, as a list; if it states none, those that every command has.
    private static func exitStatus(_ command: HelpDump.Command) -> [String] {
        let told = paragraphs(of: command).first { $0.hasPrefix(exitStatusLead) }?.dropFirst(exitStatusLead.count)
        let items = (told ?? "0 done, 64 wrong usage.").matches(of: /(\d+) (.+?)(?:, (?=\d+ )|\.?$)/)
        return items.flatMap { item in
            let words = item.output.2
            return [".TP", Roff.bold(item.output.1), Roff.text(words.prefix(1).uppercased() + words.dropFirst() + ".")]
        }
    }

    private static func paragraphs(of command: HelpDump.Command) -> [String] {
        (command.discussion ?? "").split(separator: "\n\n").map(String.init)
    }

    private static func commands(of command: HelpDump.Command, _ type: any ParsableCommand.Type) -> ManualPage.Section {
        let types = Dictionary(
            uniqueKeysWithValues: type.configuration.subcommands.map { ($0.configuration.commandName ?? "", $0) })
        let lines = command.shown.flatMap { part in
            let isDefault = part.commandName == command.defaultSubcommand
            let title = "aircheck \(command.commandName) \(part.commandName)\(isDefault ? " (default)" : "")"
            return [".SS \(Roff.argument(title))"]
                + (types[part.commandName].map { usage($0) } ?? []) + [".PP"] + description(part)
                + options(part, isPart: true)
        }
        return .init(title: "COMMANDS", lines: lines)
    }

    /// The arguments of a command. Each group stands below its title. A part of a page has no such titles, and leaves
    /// out --help and --version.
    private static func options(_ command: HelpDump.Command, isPart: Bool = false) -> [String] {
        let general = ["help", "version"]
        let groups = groups(
            command.shownArguments.filter { argument in
                !isPart || argument.names?.contains { general.contains($0.name) } != true
            })
        return groups.flatMap { group in
            (group.title.isEmpty || isPart ? [] : [".SS \(Roff.argument(group.title))"])
                + group.arguments.flatMap { [".TP", label($0), Roff.text(meaning(of: $0[0]))] }
        }
    }

    /// The groups in the order of the help; the group without a title is the first. Flags with the same meaning, such
    /// as --public and --no-public, are one item.
    private static func groups(
        _ arguments: [HelpDump.Argument]
    ) -> [(title: String, arguments: [[HelpDump.Argument]])] {
        var groups: [(title: String, arguments: [[HelpDump.Argument]])] = [("", [])]
        for argument in arguments {
            let title = argument.sectionTitle ?? ""
            if !groups.contains(where: { $0.title == title }) { groups.append((title, [])) }
            let index = groups.firstIndex { $0.title == title } ?? 0
            let last = groups[index].arguments.count - 1
            let previous = groups[index].arguments.last?.first
            if argument.kind == .flag, let previous, previous.kind == .flag, previous.abstract == argument.abstract {
                groups[index].arguments[last].append(argument)
            } else {
                groups[index].arguments.append([argument])
            }
        }
        return groups
    }

    private static func label(_ arguments: [HelpDump.Argument]) -> String {
        arguments.map { argument in
            guard argument.kind != .positional else { return Roff.italic(argument.valueName ?? "") }
            let names = (argument.names ?? []).sorted { $0.text.count < $1.text.count }.map { Roff.bold($0.text) }
            let value = argument.kind == .option ? argument.valueName.map { " " + Roff.italic($0) } ?? "" : ""
            return names.joined(separator: ", ") + value
        }.joined(separator: ", ")
    }

    private static func meaning(of argument: HelpDump.Argument) -> String {
        let abstract = argument.abstract ?? ""
        guard let value = argument.defaultValue, !abstract.contains("Default: ") else { return abstract }
        return "\(abstract) Default: \(value)"
    }
}
