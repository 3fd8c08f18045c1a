// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// The folder for recordings, and access to the folders below it.
///
/// The folder is opened by its path again for each file, to notice a disk that was unmounted and mounted again. An
/// empty mount point must not fill the disk below it: once the folder has lain on a mounted disk, neither a file nor
/// the folder itself is created in the place where the folder would lie without that disk. A link that has replaced the
/// folder is not followed.
///
/// All recordings of a process in one folder share one object, so a recording that begins while the disk is unmounted
/// detects that, too. For use on a single thread.
package final class RecordingsFolder {
    /// The path as the user gave it.
    package let path: String
    let system: any FileSystemCalls
    /// Whether the user's path is a link; nil until the folder has been opened.
    private var isLink: Bool?
    /// Where the folder lay when it was last opened for writing; nil before.
    private var disk: Disk?

    private struct Disk {
        var device: UInt64
        /// The devices of the folders above the folder, without the folder's own device. If the folder's disk is not
        /// mounted, the folder's path leads to one of these devices.
        var below: Set<UInt64>
    }

    package init(path: String, system: any FileSystemCalls) {
        self.path = path
        self.system = system
    }

    /// Opens the folder `parts` below the root, creating missing folders. The caller owns the descriptor.
    package func open(_ parts: [String] = []) throws(StorageError) -> CInt {
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
                guard error.code == .nameTooLong, let short = part.shortName() else { throw error }
                folder = try openOrMake(short, in: parent, walked)
            }
        }
        return folder
    }

    /// Opens the folder `parts` below the root, without creating any folder; throws if one is missing, or belongs to
    /// another daemon.
    func openExisting(_ parts: [String]) throws(SystemError) -> CInt {
        var folder = try openExistingRoot()
        let owner = parts.isEmpty ? nil : RecordingsOwner.state(of: folder, system)
        for part in parts {
            let parent = folder
            defer { system.close(parent) }
            do throws(SystemError) {
                folder = try system.openFolder(in: parent, name: part)
            } catch {
                guard error.number == ENAMETOOLONG, let short = part.shortName() else { throw error }
                folder = try system.openFolder(in: parent, name: short)
            }
            guard !RecordingsOwner.isOthers(folder, than: owner, system) else {
                system.close(folder)
                throw SystemError(number: EACCES)
            }
        }
        return folder
    }

    /// The path of a file or folder in `parts`, as the user knows it.
    package func path(_ parts: [String], _ name: String) -> String {
        (([path] + parts) + [name]).joined(separator: "/")
    }

    private func openRoot() throws(StorageError) -> CInt {
        let folder: CInt
        do throws(SystemError) {
            folder = try openExistingRoot()
        } catch {
            guard error.number == ENOENT else { throw rootError(error) }
            if let device = parentDevice { try checkMounted(device) }
            try makeRoot()
            do throws(SystemError) {
                folder = try openExistingRoot()
            } catch {
                throw StorageError(error, .openFolder, path)
            }
        }
        do throws(StorageError) {
            try checkDisk(of: folder)
            return folder
        } catch {
            system.close(folder)
            throw error
        }
    }

    /// Throws if the disk on which the folder lay before is not mounted. A disk that is mounted again may have a new
    /// number, and another disk may be mounted in its place.
    private func checkDisk(of folder: CInt) throws(StorageError) {
        let device: UInt64
        do throws(SystemError) {
            device = try system.status(of: folder).device
        } catch {
            throw StorageError(error, .openFolder, path)
        }
        if device == disk?.device { return }
        try checkMounted(device)
        disk = Disk(device: device, below: system.devices(above: folder).subtracting([device]))
    }

    /// Throws if `device` is one of the disks below the folder's former disk: then that disk is not mounted.
    private func checkMounted(_ device: UInt64) throws(StorageError) {
        if disk?.below.contains(device) == true {
            throw StorageError(code: .notMounted, action: .openFolder, path: path)
        }
    }

    /// The device of the nearest existing folder above a missing one; nil if it cannot be read. If the folder lies
    /// below its disk's mount point, only the mount point is left while the disk is unmounted.
    private var parentDevice: UInt64? {
        var parts = path.split(separator: "/")
        while parts.popLast() != nil {
            do throws(SystemError) {
                let parent = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
                let folder = try system.openFolder(path: parent, followsLink: true)
                defer { system.close(folder) }
                return try system.status(of: folder).device
            } catch {
                guard error.number == ENOENT else { return nil }
            }
        }
        return nil
    }

    private func rootError(_ error: SystemError) -> StorageError {
        guard isLink == false, error.mayBeOfLink,
            let target = try? system.openFolder(path: path, followsLink: true)
        else { return StorageError(error, .openFolder, path) }
        system.close(target)
        return StorageError(code: .becameLink, action: .openFolder, path: path)
    }

    /// Follows a link only if the user's path was a link from the beginning.
    private func openExistingRoot() throws(SystemError) -> CInt {
        do throws(SystemError) {
            let folder = try system.openFolder(path: path, followsLink: isLink ?? false)
            isLink = isLink ?? false
            return folder
        } catch {
            guard isLink == nil, error.mayBeOfLink else { throw error }
            let folder = try system.openFolder(path: path, followsLink: true)
            isLink = true
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
                // For an existing folder the error is EEXIST, or a different error on a read-only or foreign file
                // system.
                do throws(SystemError) {
                    system.close(try system.openFolder(path: prefix, followsLink: true))
                } catch let opening {
                    // A dangling link exists, but is not a folder.
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

extension SystemError {
    /// Whether opening a folder may have failed because a link, or something else that is not a folder, is in its
    /// place.
    fileprivate var mayBeOfLink: Bool { number == ENOTDIR || number == ELOOP }
}

extension String {
    /// The folders and the name of a path below the recordings folder.
    var bundleName: (folders: [String], base: String) {
        let parts = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return (parts.dropLast(), parts.last ?? "")
    }
}
