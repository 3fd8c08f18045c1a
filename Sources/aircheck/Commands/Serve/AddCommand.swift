// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Engine
import Platform
import RadioCore
import RadioFormats
import Stations
import Storage
import Words

/// `aircheck add`: adds a station to a configuration file.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Listens to a station for a moment, and adds it to the configuration of 'aircheck serve'.",
        usage: "aircheck add [<options>] <url>",
        discussion: """
            The rest of the file stays as it is, comments included. The station is relayed, and recorded when you give it \
            a show or write record = "always". 'aircheck reload' makes a running daemon read it. \
            An address that is there already is added once more only with --id. \
            If there is no file yet, this command creates your own, or as root the file of the whole machine.
            """)

    @Argument(help: ArgumentHelp("The station's address; http:// may be left out.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The station's ID and path for players. Default: made from its name", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The station's name. Default: the name that the station sends", valueName: "name"))
    var name: String?

    @OptionGroup var segments: SegmentOptions
    @OptionGroup var file: ConfigurationOptions

    func validate() throws {
        _ = try settings()
    }

    func run() throws {
        var console = Console()
        let result = try StationProbing.probe(settings(), &console)
        if let failure = result.failure {
            console.say("error: \(failure.naming(\.option))")
            throw failure.failureClass.exitStatus.code
        }
        if result.info?.kind == .finite {
            console.say(
                "error: this is a file, not a station: 'aircheck play \(AddressText(address).redacted)' plays it")
            throw ExitStatus.usage.code
        }
        let name = name ?? result.info?.name
        let path = file.pathToWrite
        let old = try text(of: path, &console)
        let (new, id) = try appended(name: name, to: old, path, &console)
        let isSecret = ([address] + healing).contains { AddressText($0).redacted != $0 }
        do throws(FileReplacement.Problem) {
            try FileReplacement(path: path).write(Array(new.utf8), over: Array(old.utf8), isPrivate: isSecret)
        } catch {
            throw console.failure("\(path) cannot be written: \(error.words)", .configuration)
        }
        // An existing file keeps its permissions.
        if isSecret, let file = try? PlainFile.read(path, most: 0), file.permissions & 0o007 != 0 {
            console.say("warning: the address holds a password, and everybody on this machine may read \(path)")
        }
        let problems = ConfigurationFile.read(path, ConfigurationOptions.context).problems
        Console.put("\(name ?? id) is in \(path) now, as \(id); \(Self.whatNext(problems: problems))")
    }

    /// The next step for the user. `problems`: the number of other problems of the file.
    static func whatNext(problems: Int) -> String {
        guard problems > 0 else { return "'aircheck reload' makes a running daemon read it" }
        let others = Measure.count(problems, "other problem")
        return "the file has \(others), so no daemon can use it yet: 'aircheck check' lists them"
    }

    /// The address with its scheme, as it stands in the file.
    private var address: String { AddressText(url).withScheme }

    /// The lists in which to look for the audio of gaps, as they stand in the file.
    private var healing: [String] { segments.heal.map { AddressText($0).withScheme } }

    private func settings() throws -> StationSettings {
        try checked {
            var settings = try StationSettings(
                parsing: [url], userAgent: Version.userAgent, giveUp: .seconds(15),
                seed: UInt64.random(in: .min ... .max))
            try segments.apply(to: &settings)
            return settings
        }
    }

    /// The text of the file; empty if there is none.
    private func text(of path: String, _ console: inout Console) throws -> String {
        do throws(FileFault) {
            if let text = String(validating: try ConfigurationFile.bytes(of: path), as: UTF8.self) { return text }
            console.say("error: \(path) is not in UTF-8; correct it first")
        } catch {
            if case .missing = error.reason { return "" }
            console.say("error: \(error)")
        }
        throw ExitStatus.configuration.code
    }

    /// The text with the station added, and the station's ID.
    private func appended(
        name: String?, to old: String, _ path: String, _ console: inout Console
    ) throws -> (text: String, id: String) {
        do throws(ConfigurationText.Problem) {
            return try ConfigurationText.appending(
                id: id, name: name, url: address, variant: segments.variant,
                healing: healing, to: old, ConfigurationOptions.context)
        } catch {
            for line in error.lines(of: path) { console.say("error: \(line)") }
            throw error.exitStatus.code
        }
    }
}

extension Result<Configuration, ConfigurationError> {
    /// The number of problems of the file.
    fileprivate var problems: Int {
        switch self {
        case .success: 0
        case .failure(.unreadable): 1
        case .failure(.invalid(let faults)): faults.count
        }
    }
}

extension FileReplacement.Problem {
    fileprivate var words: String {
        switch self {
        case .system(let error): "\(error)"
        case .changed: "somebody else has just changed it; try again"
        }
    }
}

extension ConfigurationText.Problem {
    /// A bad or taken ID is wrong usage; a file that cannot be extended is bad configuration.
    var exitStatus: ExitStatus {
        switch self {
        case .station, .taken, .known: .usage
        case .invalid, .otherForm: .configuration
        }
    }

    fileprivate func lines(of path: String) -> [String] {
        switch self {
        case .invalid(let fault): ["\(path): \(fault): correct it first; 'aircheck check' lists all problems"]
        case .station(let faults): faults.map { "\($0.problem)\($0.remedy.map { "; \($0)" } ?? "")" }
        case .taken(let id, let line):
            ["\(path):\(line): there is a station called \(id) already; give it another --id"]
        case .known(let id, let line):
            [
                "\(path):\(line): this address is there already\(id.map { ", as \($0)" } ?? ""); "
                    + "to add it once more, give it another --id"
            ]
        case .otherForm: ["\(path) lists its stations in a form that cannot be extended; write [[station]] tables"]
        }
    }
}
