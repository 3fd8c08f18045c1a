// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Engine
import Glibc
import RadioCore
import Relay
import Stations

/// `aircheck add`: puts a station into a configuration file.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Listens to a station for a moment, and adds it to the configuration of 'aircheck serve'.",
        discussion: """
            The rest of the file stays as it is, comments included. 'aircheck reload' makes a running daemon read it.
            """)

    @Argument(help: ArgumentHelp("The station's address.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("Its ID, also its path for players. Default: made from its name", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("Its name. Default: what it calls itself", valueName: "name"))
    var name: String?

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
        let name = name ?? result.info?.name
        let id = id ?? String(Mount.path(named: name ?? "station").dropFirst())
        let path = file.path
        let old = try text(of: path, &console)
        do throws(ConfigurationText.Failure) {
            let new = try ConfigurationText.appending(
                id: id, name: name, url: url, to: old, ConfigurationOptions.context)
            try write(new, to: path, &console)
        } catch {
            for line in error.lines(of: path) { console.say("error: \(line)") }
            throw ExitStatus.configuration.code
        }
        Console.put("\(name ?? id) is in \(path) now, as \(id); 'aircheck reload' makes a running daemon read it")
    }

    private func settings() throws -> StationSettings {
        try checked {
            try StationSettings(
                parsing: [url], userAgent: Version.userAgent, giveUp: .seconds(15),
                seed: UInt64.random(in: .min ... .max))
        }
    }

    /// The text of the file; empty if there is none.
    private func text(of path: String, _ console: inout Console) throws -> String {
        guard let file = fopen(path, "re") else {
            guard errno == ENOENT else { throw Self.failure("cannot be read", path, &console) }
            return ""
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.largest {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard ferror(file) == 0, bytes.count <= Self.largest else {
            throw Self.failure("cannot be read", path, &console)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let largest = 1 << 20

    /// Writes the file under another name first, so that a full disk does no harm, and keeps its owner and mode.
    private func write(_ text: String, to path: String, _ console: inout Console) throws(ConfigurationText.Failure) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isThere ? status.st_mode & 0o777 : 0o644)
        var bytes = Array(text.utf8)[...]
        var isWhole = descriptor >= 0
        while isWhole, !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            isWhole = count > 0
            bytes = bytes.dropFirst(max(0, count))
        }
        if isThere, descriptor >= 0 {
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            fchmod(descriptor, status.st_mode & 0o777)
        }
        isWhole = isWhole && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        guard isWhole, rename(draft, path) == 0 else {
            let why = String(cString: strerror(errno))
            unlink(draft)
            throw .unwritable(why)
        }
    }

    private static func failure(_ what: String, _ path: String, _ console: inout Console) -> ExitCode {
        console.say("error: \(path) \(what): \(String(cString: strerror(errno)))")
        return ExitStatus.configuration.code
    }
}

extension ConfigurationText.Failure {
    fileprivate func lines(of path: String) -> [String] {
        switch self {
        case .invalid(let fault): ["\(path): \(fault): mend it first"]
        case .station(let faults): faults.map { "\($0.problem)\($0.remedy.map { "; \($0)" } ?? "")" }
        case .taken(let id, let line):
            ["\(path):\(line): there is a station called \(id) already; give it another --id"]
        case .otherForm: ["\(path) has its stations in a form to which none can be added; write [[station]] tables"]
        case .unwritable(let why): ["\(path) cannot be written: \(why)"]
        }
    }
}
