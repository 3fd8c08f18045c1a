// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioFormats

/// A ledger in the state folder, with one JSON object per line. Entries for which the disk has no room are kept in
/// memory, by this value and its copies, until it has. Its calls block, and are made on one thread, except as they say.
package struct StateLedger: Sendable {
    /// What was deleted, when and why.
    package static let deletions = "deleted.jsonl"
    /// The results of shows.
    package static let shows = "shows.jsonl"

    private let folder: String
    private let name: String
    private let system: any FileSystemCalls
    /// The lines that are not on disk yet, oldest first.
    private let unwritten = Monitor<[[UInt8]]>([])

    /// The keys of entries that are not to be appended again.
    private let known = Monitor<Set<String>>([])

    private static let mostUnwritten = 1_000
    private static let mostKnown = 20_000
    /// The ledger is rotated at this size; one old file is kept.
    private static let largest: Int64 = 4 << 20
    private static let longestLine = 1 << 16
    private static let few: Int64 = 1 << 18

    package init(folder: String, name: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.name = name
        self.system = system
    }

    /// Appends an entry, and returns once it is on disk. If this throws, the entry is not kept. An entry whose `key`
    /// was appended before is left out, unless ``forget(_:)`` has been called.
    package func append(_ entry: JSONValue, once key: String? = nil) throws(StorageError) {
        flush()
        guard isNew(key) else { return }
        try write(Self.line(entry))
        know(key)
    }

    /// Appends an entry about what has happened. If it cannot be written now, it is kept until it can. `key`: see
    /// ``append(_:once:)``.
    package func note(_ entry: JSONValue, once key: String? = nil) {
        if isNew(key) { keep(entry) }
        know(key)
        flush()
    }

    /// Lets an entry with this key be appended again.
    package func forget(_ key: String) { known.withLock { _ = $0.remove(key) } }

    private func isNew(_ key: String?) -> Bool { key.map { key in known.withLock { !$0.contains(key) } } ?? true }

    private func know(_ key: String?) {
        guard let key else { return }
        known.withLock { known in
            if known.count >= Self.mostKnown { known = [] }
            known.insert(key)
        }
    }

    /// Keeps an entry for ``flush()``. Does not block, and may be called on any thread.
    package func keep(_ entry: JSONValue) { unwritten.withLock { $0.append(Self.line(entry)) } }

    /// Appends the kept entries. Returns whether all of them are on disk. If not, the newest ones are kept.
    @discardableResult
    package func flush() -> Bool {
        let lines = unwritten.withLock { $0 }
        guard !lines.isEmpty else { return true }
        let isWritten = (try? write(Array(lines.joined()))) != nil
        unwritten.withLock { $0.removeFirst(isWritten ? lines.count : max(0, lines.count - Self.mostUnwritten)) }
        return isWritten
    }

    private static func line(_ entry: JSONValue) -> [UInt8] { entry.encoded(.compact) + [lineEnd] }

    private static let lineEnd = UInt8(ascii: "\n")

    /// Appends lines; none of them if this throws.
    private func write(_ lines: [UInt8]) throws(StorageError) {
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
            // A crash may have torn the last line.
            let isTorn = try system.readAll(file, from: max(0, end - 1), to: end).contains { $0 != Self.lineEnd }
            do throws(SystemError) {
                try system.writeAll(file, (isTorn ? [Self.lineEnd] : []) + lines, at: end)
                try system.sync(file)
            } catch {
                try? system.truncate(file, to: end)
                throw error
            }
        } catch {
            throw StorageError(error, .write, "\(folder)/\(name)")
        }
    }

    /// The entries, oldest first, with those that are not on disk yet. Lines that cannot be read, such as one that a
    /// crash has cut short, are left out.
    package func entries() -> [JSONValue] {
        let kept = Self.parsed(unwritten.withLock { $0 })
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return kept }
        defer { system.close(folder) }
        return [name + ".1", name].flatMap { entries(of: $0, in: folder) } + kept
    }

    /// The newest entries on disk, oldest first: as many as fit into a few hundred kilobytes.
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
        return Self.parsed(bytes.split(separator: Self.lineEnd))
    }

    private static func parsed(_ lines: [some Sequence<UInt8>]) -> [JSONValue] {
        lines.compactMap { try? JSONValue(parsing: Array($0), limit: longestLine) }
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
