// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// A file on its way to a name: its content gets that name whole, or not at all. Of the writer's thread.
///
/// Nobody but Aircheck has files called `.aircheck-1.tmp`. While one is open it is locked, so one that is not locked
/// was left behind by a process that died, and recovery removes it. Its name is short, however long the final one is.
struct TemporaryFile {
    let descriptor: CInt
    private(set) var name: String

    /// Whether a name is that of a temporary file.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let number = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Creates one, open and locked.
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
            // Between the two calls another process may have taken the file for one that was left behind.
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
            // No locks on this file system: recovery, which insists on one, keeps away as well.
            return true
        }
    }

    /// Gives a file the name of a temporary one, and returns that.
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

    /// Whether nobody writes a file: a process that died has left it.
    static func isAbandoned(_ name: String, in folder: CInt, _ system: any FileSystemCalls) -> Bool {
        guard let descriptor = try? system.openFile(in: folder, name: name) else { return false }
        defer { system.close(descriptor) }
        return (try? system.lock(descriptor)) == true
    }

    /// Removes what a process that died has left; leaves alone what somebody still writes.
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
