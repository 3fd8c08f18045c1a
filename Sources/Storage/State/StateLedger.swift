// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioFormats

/// A ledger in the state folder, with one JSON object per line. Its calls block.
package struct StateLedger: Sendable {
    /// What was deleted, when and why.
    package static let deletions = "deleted.jsonl"
    /// The results of shows.
    package static let shows = "shows.jsonl"

    private let folder: String
    private let name: String
    private let system: any FileSystemCalls

    /// The ledger is rotated at this size; one old file is kept.
    private static let largest: Int64 = 4 << 20
    private static let longestLine = 1 << 16
    private static let few: Int64 = 1 << 18

    package init(folder: String, name: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.name = name
        self.system = system
    }

    /// Appends an entry, and returns once it is on disk.
    package func append(_ entry: JSONValue) throws(StorageError) {
        do throws(SystemError) {
            let folder = try system.openFolder(path: folder, followsLink: true)
            defer { system.close(folder) }
            var file = try open(in: folder)
            if try system.status(of: file).size > Self.largest {
                system.close(file)
                try system.rename(in: folder, name, replacing: name + ".1")
                file = try open(in: folder)
            }
            defer { system.close(file) }
            let end = try system.status(of: file).size
            try system.writeAll(file, entry.encoded(.compact) + [UInt8(ascii: "\n")], at: end)
            try system.sync(file)
        } catch {
            throw StorageError(error, .write, "\(folder)/\(name)")
        }
    }

    /// The entries, oldest first. Lines that cannot be read, such as one that a crash has cut short, are left out.
    package func entries() -> [JSONValue] {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return [] }
        defer { system.close(folder) }
        return [name + ".1", name].flatMap { entries(of: $0, in: folder) }
    }

    /// The newest entries, oldest first: as many as fit into a few hundred kilobytes.
    package func newest() -> [JSONValue] {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return [] }
        defer { system.close(folder) }
        return entries(of: name, in: folder, atMost: Self.few)
    }

    private func entries(of name: String, in folder: CInt, atMost most: Int64 = 2 * largest) -> [JSONValue] {
        guard let file = try? system.openToRead(in: folder, name: name) else { return [] }
        defer { system.close(file) }
        guard let status = try? system.status(of: file), status.isRegularFile,
            let bytes = try? system.readAll(file, from: max(0, status.size - most), to: status.size)
        else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONValue(parsing: Array($0), limit: Self.longestLine)
        }
    }

    private func open(in folder: CInt) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openFile(in: folder, name: name)
        } catch {
            guard error.number == ENOENT else { throw error }
            return try system.createFile(in: folder, name: name)
        }
    }
}
