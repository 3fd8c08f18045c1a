// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore
import RadioFormats

/// `positions.json` in the state folder, always whole: written beside it, synced, renamed. For nobody else to read.
///
/// Several processes may share it. Each writes only what it changed itself, onto what is there, while it holds the
/// lock; so of one item the last position counts, and of other items nothing is lost. A file that makes no sense is
/// set aside as `positions.json.bad` by the next write. All of it blocks, the lock for as long as another process
/// writes: for a thread of its own.
package struct PositionsFile: Sendable {
    package static let name = "positions.json"
    static let lockName = "positions.lock"
    static let newName = "positions.json.new"
    static let badName = "positions.json.bad"

    /// What was read, and why that is nothing where it makes no sense.
    package struct Content: Sendable {
        package var positions: PlayPositions
        package var fault: PlayPositions.Fault?
    }

    private let folder: String
    private let system: any FileSystemCalls

    /// The folder need not be there.
    package init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.system = system
    }

    package var path: String { "\(folder)/\(Self.name)" }

    /// What the file says; nothing where there is none.
    package func read() throws(StorageError) -> Content {
        do throws(SystemError) {
            let descriptor = try system.openFolder(path: folder, followsLink: true)
            defer { system.close(descriptor) }
            return try content(in: descriptor)
        } catch {
            guard error.number == ENOENT else { throw StorageError(error, .read, path) }
            return Content(positions: PlayPositions())
        }
    }

    /// Does these changes to what the file says now, and returns all of it. Where it throws, no position is lost that was there.
    package func update(_ changes: PlayPositions.Changes) throws(StorageError) -> Content {
        do throws(SystemError) {
            let descriptor = try openOrMakeFolder()
            defer { system.close(descriptor) }
            let lock = try openLock(in: descriptor)
            defer { system.close(lock) }
            try waitForLock(lock)
            var content = try content(in: descriptor)
            content.positions.apply(changes)
            if content.fault != nil { try system.rename(in: descriptor, Self.name, replacing: Self.badName) }
            try write(content.positions.json.encoded(.pretty), in: descriptor)
            return content
        } catch {
            throw StorageError(error, .write, path)
        }
    }
}

extension PositionsFile {
    private func content(in folder: CInt) throws(SystemError) -> Content {
        let file: CInt
        do throws(SystemError) {
            file = try system.openToRead(in: folder, name: Self.name)
        } catch {
            guard error.number == ENOENT else { throw error }
            return Content(positions: PlayPositions())
        }
        defer { system.close(file) }
        let status = try system.status(of: file)
        // One byte more than is allowed is enough to see that it is too long.
        let size = min(status.size, Int64(PlayPositions.longestText) + 1)
        let bytes = status.isRegularFile ? try system.readAll(file, from: 0, to: size) : []
        do throws(PlayPositions.Fault) {
            return Content(positions: try PlayPositions(parsing: bytes))
        } catch {
            return Content(positions: PlayPositions(), fault: error)
        }
    }

    private func write(_ bytes: [UInt8], in folder: CInt) throws(SystemError) {
        // Whoever left one behind had the lock, and is gone.
        if try system.exists(in: folder, name: Self.newName) { try system.remove(in: folder, name: Self.newName) }
        let file = try system.createPrivateFile(in: folder, name: Self.newName)
        defer { system.close(file) }
        do throws(SystemError) {
            try system.writeAll(file, bytes, at: 0)
            try system.sync(file)
            try system.rename(in: folder, Self.newName, replacing: Self.name)
        } catch {
            try? system.remove(in: folder, name: Self.newName)
            throw error
        }
        try system.syncNames(in: folder)
    }

    private func openLock(in folder: CInt) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.createPrivateFile(in: folder, name: Self.lockName)
        } catch {
            guard error.number == EEXIST else { throw error }
            return try system.openFile(in: folder, name: Self.lockName)
        }
    }

    /// A file system without locks is rarely shared at the same moment: there, each write is whole all the same.
    private func waitForLock(_ lock: CInt) throws(SystemError) {
        do throws(SystemError) {
            try system.waitForLock(lock)
        } catch {
            guard [ENOLCK, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
        }
    }

    private func openOrMakeFolder() throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openFolder(path: folder, followsLink: true)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            do throws(SystemError) {
                try system.makePrivateFolder(path: path)
            } catch {
                // What is there already may also be on a file system that nobody may write to.
                guard [EEXIST, EROFS, EACCES].contains(error.number) else { throw error }
            }
        }
        return try system.openFolder(path: folder, followsLink: true)
    }
}
