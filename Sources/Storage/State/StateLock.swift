// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore

/// A lock on a state folder: only one daemon at a time holds it, for as long as this object lives. The kernel releases
/// it when the process ends.
package final class StateLock: Sendable {
    package static let name = "daemon.lock"

    private let descriptor: CInt
    private let system: any FileSystemCalls

    /// Creates the folder if it does not exist, and takes the lock. Throws if another process has it, or if the folder
    /// cannot be used. The call blocks for the disk.
    package init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) throws(Failure) {
        self.system = system
        do throws(SystemError) {
            let opened = try Self.open(folder, system)
            defer { system.close(opened) }
            let file = try system.openPrivateFile(in: opened, name: Self.name)
            do throws(SystemError) {
                guard try system.lock(file) else { throw SystemError(number: EWOULDBLOCK) }
            } catch {
                system.close(file)
                throw error
            }
            descriptor = file
        } catch {
            guard error.number == EWOULDBLOCK else { throw Self.failure(error, folder) }
            throw Failure(
                .configuration, "another 'aircheck serve' uses the state folder \(folder)",
                remedy: "stop the other daemon, or give this one a state folder of its own")
        }
    }

    deinit { system.close(descriptor) }

    /// The failure for an error in the folder. Its class decides whether a service manager starts the daemon again: a
    /// full or unreachable disk may recover, a folder that is missing or forbidden does not.
    private static func failure(_ error: SystemError, _ folder: String) -> Failure {
        switch StorageError.Code(errorNumber: error.number) {
        case .noSpace, .keptFree, .quota, .readOnly, .stale, .inputOutput, .tooManyOpen, .notAnswering, .fileTooLarge,
            .notMounted, .moved, .becameLink, .appendOnly, .other:
            StorageError(error, .openFolder, folder).failure
        case .denied, .missing, .notAFolder, .nameTaken, .nameTooLong, .badName:
            Failure(
                .configuration, "the state folder \(folder) cannot be used: \(error)",
                remedy: "create it, and let the user of the daemon write to it")
        }
    }

    private static func open(_ path: String, _ system: any FileSystemCalls) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openFolder(path: path, followsLink: true)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
        try system.makeFolders(path: path)
        return try system.openFolder(path: path, followsLink: true)
    }
}
