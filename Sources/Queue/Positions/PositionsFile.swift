// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioFormats
import Storage

/// `positions.json` in the state folder, always whole: written under another name, synced, renamed. Mode 0600.
///
/// Several processes may share it. Each applies only its own changes to the present content while it holds the lock, so
/// the last written position of an item counts, and the positions of other items are not lost. The next write renames
/// an invalid file to `positions.json.bad`. All calls block, also for the lock while another process writes: use a
/// separate thread.
struct PositionsFile: Sendable {
    static let name = "positions.json"
    static let lockName = "positions.lock"
    static let badName = "positions.json.bad"

    /// The positions read, and why there are none if the file is invalid.
    struct Content: Sendable {
        var positions: PlayPositions
        var error: PlayPositions.ParseError?
    }

    private let folder: String
    private let system: any FileSystemCalls

    /// The folder need not exist.
    init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.system = system
    }

    var path: String { "\(folder)/\(Self.name)" }

    /// Reads the file; empty if it does not exist.
    func read() throws(StorageError) -> Content {
        do throws(SystemError) {
            let descriptor = try system.openFolder(path: folder, followsLink: true)
            defer { system.close(descriptor) }
            return try content(in: descriptor)
        } catch {
            guard error.number == ENOENT else { throw StorageError(error, .read, path) }
            return Content(positions: PlayPositions())
        }
    }

    /// Applies the changes to the file's present content, and returns the result. If it throws, no existing position is
    /// lost.
    func update(_ changes: PlayPositions.Changes) throws(StorageError) -> Content {
        do throws(SystemError) {
            let descriptor = try openOrMakeFolder()
            defer { system.close(descriptor) }
            let lock = try system.openPrivateFile(in: descriptor, name: Self.lockName)
            defer { system.close(lock) }
            try waitForLock(lock)
            var content = try content(in: descriptor)
            content.positions.apply(changes)
            if content.error != nil { try system.rename(in: descriptor, Self.name, replacing: Self.badName) }
            try system.replace(Self.name, with: content.positions.json.encoded(.pretty), in: descriptor)
            try system.syncNames(in: descriptor)
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
        // One byte more than is allowed suffices to see that the file is too long.
        let size = min(status.size, Int64(PlayPositions.longestText) + 1)
        let bytes = status.isRegularFile ? try system.readAll(file, from: 0, to: size) : []
        do throws(PlayPositions.ParseError) {
            return Content(positions: try PlayPositions(parsing: bytes))
        } catch {
            return Content(positions: PlayPositions(), error: error)
        }
    }

    /// Waits for the lock. If the file system has no locks, continues without one, because simultaneous writes are
    /// rare, and each write is still whole.
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
                // The folder may already exist on a file system that is read-only.
                guard [EEXIST, EROFS, EACCES].contains(error.number) else { throw error }
            }
        }
        return try system.openFolder(path: folder, followsLink: true)
    }
}
