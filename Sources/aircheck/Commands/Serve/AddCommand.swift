// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Engine
import Glibc
import Platform
import RadioCore
import RadioFormats
import Relay
import Stations
import Storage

/// `aircheck add`: puts a station into a configuration file.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Listens to a station for a moment, and adds it to the configuration of 'aircheck serve'.",
        discussion: """
            The rest of the file stays as it is, comments included. 'aircheck reload' makes a running daemon read it. \
            Without a file yet, it makes one: your own, or for root that of the whole machine.
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
        let path = file.pathToWrite
        let old = try text(of: path, &console)
        do throws(ConfigurationText.Failure) {
            let new = try ConfigurationText.appending(
                id: id, name: name, url: url, to: old, ConfigurationOptions.context)
            try write(new, over: old, to: path, &console)
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

    private static func real(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The text of the file; empty if there is none.
    private func text(of path: String, _ console: inout Console) throws -> String {
        do throws(FileFault) {
            if let text = String(validating: try ConfigurationFile.bytes(of: path), as: UTF8.self) { return text }
            console.say("error: \(path) is not in UTF-8; mend it first")
        } catch {
            if case .missing = error.reason { return "" }
            console.say("error: \(error)")
        }
        throw ExitStatus.configuration.code
    }

    /// Writes the file under another name first, so that a full disk does no harm, and keeps its owner and mode.
    private func write(
        _ text: String, over old: String, to path: String, _ console: inout Console
    ) throws(ConfigurationText.Failure) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if !isThere, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            do throws(SystemError) { try LinuxFileSystem().makeFolders(path: String(path[..<slash])) } catch {
                throw .unwritable("\(error)")
            }
        }
        // The file may be a link to where somebody keeps all configurations.
        let target = Self.real(path)
        // The URL may contain a user name and a password.
        let hasSecret = AddressText(url).redacted != url
        let draft = "\(target).new-\(getpid())"
        let descriptor = open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? status.st_mode & 0o777 : hasSecret ? 0o600 : 0o644
        )
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
        let isUnchanged = ((try? ConfigurationFile.bytes(of: path)) ?? []) == Array(old.utf8)
        if descriptor >= 0 { close(descriptor) }
        guard isWhole, isUnchanged, rename(draft, target) == 0 else {
            let why = isUnchanged ? String(cString: strerror(errno)) : "somebody else has just changed it; try again"
            unlink(draft)
            throw .unwritable(why)
        }
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
