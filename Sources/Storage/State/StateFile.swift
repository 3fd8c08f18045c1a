// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioFormats

/// A small file of JSON in the state folder, always whole: written under another name, synced, renamed. It is
/// overwritten in place only if the disk has no room for a second file. Mode 0600. All calls block.
package struct StateFile: Sendable {
    private let folder: String
    private let name: String
    private let system: any FileSystemCalls

    private static let largest: Int64 = 1 << 20
    /// How many bytes of entries a file has room for, beside what surrounds them.
    package static let room = 900_000

    /// The folder must exist.
    package init(folder: String, name: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.name = name
        self.system = system
    }

    /// Reads the content; nil if the file is missing, too long or unreadable.
    package func read() -> [UInt8]? {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return nil }
        defer { system.close(folder) }
        guard let file = try? system.openToRead(in: folder, name: name) else { return nil }
        defer { system.close(file) }
        guard let status = try? system.status(of: file), status.isRegularFile, status.size <= Self.largest else {
            return nil
        }
        return try? system.readAll(file, from: 0, to: status.size)
    }

    /// The first of these entries, as many as fit into so many bytes of a file. `json`: what the file has of an entry.
    package static func fitting<Entry>(
        _ entries: some Sequence<Entry>, in room: Int = StateFile.room, _ json: (Entry) -> JSONValue
    ) -> [Entry] {
        var rest = room
        return entries.prefix { entry in
            rest -= json(entry).encoded().count + 1
            return rest >= 0
        }
    }

    /// Replaces the content. If this throws, the file has either the old or the new content: the old one if the new one
    /// is longer than what ``read()`` accepts.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        guard bytes.count <= Self.largest else { throw SystemError(number: EFBIG) }
        let folder = try system.openFolder(path: folder, followsLink: true)
        defer { system.close(folder) }
        do throws(SystemError) {
            try system.replace(name, with: bytes, in: folder)
        } catch {
            guard error.isForRoom, (try? system.overwrite(in: folder, name: name, bytes)) != nil else { throw error }
        }
        try system.syncFolder(folder)
    }

    /// Creates the file if there is none, so that a disk that gets full later lets it be overwritten.
    package func reserve(_ bytes: [UInt8]) {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return }
        let isThere = (try? system.exists(in: folder, name: name)) != false
        system.close(folder)
        if !isThere { try? write(bytes) }
    }
}

extension FileSystemCalls {
    /// Opens a file, which is created with mode 0600 if there is none.
    package func openPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try createPrivateFile(in: folder, name: name)
        } catch {
            guard error.number == EEXIST else { throw error }
            return try openFile(in: folder, name: name)
        }
    }

    /// Replaces a file as a whole, by a private file: written under another name, synced, renamed.
    package func replace(_ name: String, with bytes: [UInt8], in folder: CInt) throws(SystemError) {
        let draft = name + ".new"
        // If there is already a draft, it was left by a write that a crash has interrupted.
        try? remove(in: folder, name: draft)
        do throws(SystemError) {
            let file = try createPrivateFile(in: folder, name: draft)
            defer { close(file) }
            try writeAll(file, bytes, at: 0)
            try sync(file)
            try rename(in: folder, draft, replacing: name)
        } catch {
            try? remove(in: folder, name: draft)
            throw error
        }
    }
}
