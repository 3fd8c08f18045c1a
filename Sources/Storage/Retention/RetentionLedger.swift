// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioFormats

/// `deleted.jsonl` in the state folder: what was deleted, when and why, with one JSON object per line. Its calls block.
package struct RetentionLedger: Sendable {
    package static let name = "deleted.jsonl"

    private let folder: String
    private let system: any FileSystemCalls

    /// The ledger is rotated at this size; one old file is kept.
    private static let largest: Int64 = 4 << 20

    package init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
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
                try system.rename(in: folder, Self.name, replacing: Self.name + ".1")
                file = try open(in: folder)
            }
            defer { system.close(file) }
            let end = try system.status(of: file).size
            try system.writeAll(file, entry.encoded(.compact) + [UInt8(ascii: "\n")], at: end)
            try system.sync(file)
        } catch {
            throw StorageError(error, .write, "\(folder)/\(Self.name)")
        }
    }

    private func open(in folder: CInt) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openFile(in: folder, name: Self.name)
        } catch {
            guard error.number == ENOENT else { throw error }
            return try system.createFile(in: folder, name: Self.name)
        }
    }
}
