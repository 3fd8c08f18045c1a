// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import RadioFormats

/// Runs the command line of this process, and ends the process unless the command succeeds.
package func runCommandLine() { Aircheck.main() }

/// The command line. Each subcommand has its own file in Commands/.
struct Aircheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aircheck",
        abstract: "Records internet radio: every frame the station sent, once, in order.",
        discussion: """
            Give it the address of a station and it writes the programme to disk as it was sent, cut at the full \
            hour, and reconnects by itself when the connection is lost.

              aircheck record https://example.org/live.mp3
              aircheck relay  https://example.org/live.mp3
              aircheck play   https://example.org/live.mp3
              aircheck probe  https://example.org/live.mp3
              aircheck demo
            """,
        version: "aircheck \(Version.string)",
        subcommands: [
            RecordCommand.self, RelayCommand.self, PlayCommand.self, ProbeCommand.self, DemoCommand.self,
            ServeCommand.self, CheckCommand.self, AddCommand.self, StatusCommand.self, ScheduleCommand.self,
            ReloadCommand.self,
            StopCommand.self, SkipCommand.self, HooksCommand.self,
            RecordingsCommand.self,
            RepairCommand.self,
            PasswordCommand.self,
        ])

    static func main() {
        StandardDescriptors.ensureOpen()
        Engine.prepareProcess()
        refuseWithoutArguments()
        // The parser answers a request for help on an unknown command with the general help.
        if arguments.first == "help", let misspelling = Self.misspelling { refuse(misspelling) }
        do {
            var command = try parseAsRoot(arguments)
            let status = Result { try command.run() }
            // A lost result outranks the command's own status: a script must not take missing output for an empty
            // answer.
            try Console.checkResults()
            try status.get()
        } catch let status as ExitCode {
            // The command has run and reported its outcome.
            exit(withError: status)
        } catch {
            if arguments.contains(CompletionScript.option), exitCode(for: error) == .success {
                let topics = configuration.subcommands.compactMap { $0.configuration.commandName }
                Console.put(CompletionScript.adding(topics: topics, to: message(for: error)))
                do { return try Console.checkResults() } catch { exit(withError: error) }
            }
            if exitCode(for: error) == .validationFailure {
                // A misspelt word often causes another error, such as one address too many.
                if let misspelling = Self.misspelling { refuse(misspelling) }
                reportUsage(message(for: error), remedy: "see aircheck --help")
            }
            let text = fullMessage(for: error)
            guard PathText.hasRawBytes(text) else { exit(withError: error) }
            // The parser would print characters that stand for bytes.
            Console.complain(text)
            exit(withError: exitCode(for: error))
        }
    }

    /// Exits if the arguments cannot be read. The first argument is always the program's name, so an empty list means
    /// that the runtime could not read /proc. Otherwise every command would print the general help and succeed.
    private static func refuseWithoutArguments() {
        guard CommandLine.argc == 0 else { return }
        Console.complain("error: the arguments cannot be read: mount /proc in this container or sandbox")
        exit(withError: ExitStatus.unavailable.code)
    }

    /// The arguments after the program's name, with the bytes of paths that are not UTF-8 (``PathText``), which
    /// `CommandLine.arguments` would replace.
    private static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { String(path: $0) } }
    }

    private static var misspelling: Misspelling? {
        CommandOutline.program.flatMap { Misspelling.find(in: arguments, of: $0) }
    }

    /// Prints what was probably meant, and exits.
    private static func refuse(_ misspelling: Misspelling) -> Never {
        let help = misspelling.command + ["--help"]
        reportUsage(misspelling.message, remedy: "see \(help.joined(separator: " "))")
        let lines = ["Error: \(misspelling.message)", "  See '\(help.joined(separator: " "))' for more information."]
        Console.complain(lines.joined(separator: "\n"))
        exit(withError: ExitStatus.usage.code)
    }

    /// Prints the report of a wrong command line, if one is wanted.
    private static func reportUsage(_ message: String, remedy: String) {
        guard arguments.contains("--json") else { return }
        let report = UsageReport.object(Failure(.usage, message, remedy: remedy), arguments)
        Console.put(json: report)
    }
}
