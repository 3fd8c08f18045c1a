// SPDX-License-Identifier: MIT

import Glibc
package import Platform
import RadioFormats

/// Replaces a whole file that belongs to the user, such as a configuration. Its calls block.
///
/// The new bytes are written under another name, synced and renamed, so that a full disk does no harm. The file keeps
/// its owner and mode. If the path is a link, its target is replaced.
package struct FileReplacement: Sendable {
    /// Why the file was not replaced.
    package enum Problem: Error, Hashable, Sendable {
        case system(SystemError)
        /// Somebody else has changed the file meanwhile.
        case changed
    }

    private let path: String
    private let system = LinuxFileSystem()

    package init(path: String) {
        self.path = path
    }

    /// Replaces the file, or creates it and the folders above it. `old`: the bytes that the caller knows; empty if
    /// there was no file. `isPrivate`: whether only the owner may read a newly created file.
    package func write(_ bytes: [UInt8], over old: [UInt8], isPrivate: Bool) throws(Problem) {
        let isReplaced: Bool
        do throws(SystemError) {
            isReplaced = try replace(old, with: bytes, isPrivate: isPrivate)
        } catch {
            throw .system(error)
        }
        guard isReplaced else { throw .changed }
    }

    /// Returns false if the file's bytes are not `old`.
    private func replace(_ old: [UInt8], with bytes: [UInt8], isPrivate: Bool) throws(SystemError) -> Bool {
        var status = stat()
        let isThere = stat(path.pathBytes, &status) == 0
        if !isThere { try makeFolders() }
        let target = Self.resolved(path)
        let draft = "\(target).new-\(getpid())"
        // After the rename, the draft's name is gone, and this does nothing.
        defer { unlink(draft.pathBytes) }
        let mode = isThere ? status.st_mode & 0o777 : isPrivate ? 0o600 : 0o644
        let file = try systemCall { open(draft.pathBytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        defer { system.close(file) }
        try system.writeAll(file, bytes, at: 0)
        if isThere {
            // Only root may change the owner, so a failure is ignored.
            _ = fchown(file, status.st_uid, status.st_gid)
            fchmod(file, mode)
        }
        _ = try systemCall { fsync(file) }
        guard Self.bytes(of: target, system) == old else { return false }
        _ = try systemCall { rename(draft.pathBytes, target.pathBytes) }
        return true
    }

    private func makeFolders() throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        try system.makeFolders(path: String(path[..<slash]))
    }

    /// The path with all links resolved; unchanged if there is no such file.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path.pathBytes, nil) else { return path }
        defer { free(real) }
        return String(path: real)
    }

    /// The bytes of a file; empty if it cannot be read.
    private static func bytes(of path: String, _ system: LinuxFileSystem) -> [UInt8] {
        guard let file = try? systemCall({ open(path.pathBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }) else { return [] }
        defer { system.close(file) }
        guard let status = try? system.status(of: file), status.isRegularFile else { return [] }
        return (try? system.readAll(file, from: 0, to: status.size)) ?? []
    }
}
