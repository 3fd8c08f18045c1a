// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// The folder for recordings, and access to the folders below it.
///
/// Opened again by its path for each file, so that a disk that went away and came back is noticed. It must remain the
/// same folder: not one on another disk (an empty mount point must not fill the root disk), and not a link that has
/// replaced it. A value for the writer's thread.
package struct RecordingsFolder {
    /// The path as the user gave it.
    package let path: String
    private let system: any FileSystemCalls
    /// The result of the first opening; nil before.
    private var first: (device: UInt64, isLink: Bool)?

    package init(path: String, system: any FileSystemCalls) {
        self.path = path
        self.system = system
    }

    /// Opens the folder `parts` below the root, creating missing folders. The caller owns the descriptor.
    package mutating func open(_ parts: [String] = []) throws(StorageError) -> CInt {
        var folder = try openRoot()
        var walked = path
        for part in parts {
            walked += "/" + part
            guard part.isPlainName else {
                system.close(folder)
                throw StorageError(code: .badName, action: .openFolder, path: walked)
            }
            let parent = folder
            defer { system.close(parent) }
            do throws(StorageError) {
                folder = try openOrMake(part, in: parent, walked)
            } catch {
                guard error.code == .nameTooLong, let short = part.shortName else { throw error }
                folder = try openOrMake(short, in: parent, walked)
            }
        }
        return folder
    }

    /// Opens the folder `parts` below the root, without creating any folder; throws if one is missing.
    mutating func openExisting(_ parts: [String]) throws(SystemError) -> CInt {
        var folder = try openExistingRoot()
        for part in parts {
            let parent = folder
            defer { system.close(parent) }
            do throws(SystemError) {
                folder = try system.openFolder(in: parent, name: part)
            } catch {
                guard error.number == ENAMETOOLONG, let short = part.shortName else { throw error }
                folder = try system.openFolder(in: parent, name: short)
            }
        }
        return folder
    }

    /// The path of a file or folder in `parts`, as the user knows it.
    package func path(_ parts: [String], _ name: String) -> String {
        (([path] + parts) + [name]).joined(separator: "/")
    }

    private mutating func openRoot() throws(StorageError) -> CInt {
        let folder: CInt
        do throws(SystemError) {
            folder = try openExistingRoot()
        } catch {
            guard error.number == ENOENT else { throw StorageError(error, .openFolder, path) }
            try makeRoot()
            do throws(SystemError) {
                folder = try openExistingRoot()
            } catch {
                throw StorageError(error, .openFolder, path)
            }
        }
        let device: UInt64
        do throws(SystemError) {
            device = try system.status(of: folder).device
        } catch {
            system.close(folder)
            throw StorageError(error, .openFolder, path)
        }
        guard first == nil || first?.device == device else {
            system.close(folder)
            throw StorageError(code: .otherDisk, action: .openFolder, path: path)
        }
        first = (device, first?.isLink ?? false)
        return folder
    }

    /// Follows a link only if the user's path was a link from the beginning.
    private mutating func openExistingRoot() throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openFolder(path: path, followsLink: first?.isLink ?? false)
        } catch {
            guard first == nil, error.number == ENOTDIR || error.number == ELOOP else { throw error }
            let folder = try system.openFolder(path: path, followsLink: true)
            do throws(SystemError) {
                first = (try system.status(of: folder).device, true)
            } catch {
                system.close(folder)
                throw error
            }
            return folder
        }
    }

    /// `mkdir -p`.
    private func makeRoot() throws(StorageError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += part + "/"
            do throws(SystemError) {
                try system.makeFolder(path: String(prefix.dropLast()))
            } catch {
                // For an existing folder the error is EEXIST, or another one on a read-only or foreign file system.
                do throws(SystemError) {
                    system.close(try system.openFolder(path: prefix, followsLink: true))
                } catch let opening {
                    // A dangling link exists, but is no folder.
                    throw StorageError(error.number == EEXIST ? opening : error, .makeFolder, path)
                }
            }
        }
    }

    private func openOrMake(_ name: String, in folder: CInt, _ path: String) throws(StorageError) -> CInt {
        do throws(SystemError) {
            return try system.openFolder(in: folder, name: name)
        } catch {
            guard error.number == ENOENT else { throw StorageError(error, .openFolder, path) }
        }
        do throws(SystemError) {
            try system.makeFolder(in: folder, name: name)
            try system.syncNames(in: folder)
        } catch {
            guard error.number == EEXIST else { throw StorageError(error, .makeFolder, path) }
        }
        do throws(SystemError) {
            return try system.openFolder(in: folder, name: name)
        } catch {
            throw StorageError(error, .openFolder, path)
        }
    }
}
