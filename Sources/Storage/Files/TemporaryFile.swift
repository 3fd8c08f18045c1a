// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// A file that will get a name once its content is complete. For the writer's thread.
///
/// Only Aircheck names files like `.aircheck-1.tmp`. They are locked while open, so recovery can remove unlocked ones,
/// which a dead process has left. The name is short, whatever the length of the final name.
struct TemporaryFile {
    let descriptor: CInt
    private(set) var name: String

    /// Whether a temporary file can have this name.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let number = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Creates a temporary file, open and locked.
    init(in folder: CInt, _ system: any FileSystemCalls) throws(SystemError) {
        for number in 1...Self.most {
            let name = "\(Self.prefix)\(number)\(Self.suffix)"
            let descriptor: CInt
            do throws(SystemError) {
                descriptor = try system.createFile(in: folder, name: name)
            } catch {
                guard error.number == EEXIST else { throw error }
                continue
            }
            // Between the file's creation and its lock, another process may have mistaken it for an abandoned file.
            guard Self.isOurs(descriptor, system) else {
                system.close(descriptor)
                continue
            }
            self.descriptor = descriptor
            self.name = name
            return
        }
        throw SystemError(number: EEXIST)
    }

    private static func isOurs(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        do throws(SystemError) {
            guard try system.lock(descriptor) else { return false }
            return try system.status(of: descriptor).links > 0
        } catch {
            // This file system has no locks. Recovery needs locks, so it does not touch the file either.
            return true
        }
    }

    /// Renames a file to a free temporary name, and returns the new name.
    static func rename(
        _ name: String, in folder: CInt, _ system: any FileSystemCalls
    ) throws(SystemError) -> String {
        for number in 1...most {
            let new = "\(prefix)\(number)\(suffix)"
            do throws(SystemError) {
                try system.move(in: folder, name, toFree: new)
                return new
            } catch {
                guard error.number == EEXIST else { throw error }
            }
        }
        throw SystemError(number: EEXIST)
    }

    /// Whether no process is writing a file: a dead process has left it.
    static func isAbandoned(_ name: String, in folder: CInt, _ system: any FileSystemCalls) -> Bool {
        guard let descriptor = try? system.openFile(in: folder, name: name) else { return false }
        defer { system.close(descriptor) }
        return (try? system.lock(descriptor)) == true
    }

    /// Removes a file left by a dead process; does nothing if a process is still writing it.
    static func removeAbandoned(_ name: String, in folder: CInt, _ system: any FileSystemCalls) {
        guard let descriptor = try? system.openFile(in: folder, name: name) else { return }
        defer { system.close(descriptor) }
        guard (try? system.lock(descriptor)) == true else { return }
        try? system.remove(in: folder, name: name)
    }

    private static let prefix = ".aircheck-"
    private static let suffix = ".tmp"
    private static let most = 9_999
}
