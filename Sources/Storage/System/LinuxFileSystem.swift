// SPDX-License-Identifier: MIT

import CLinux
package import Glibc
package import Platform
import RadioFormats

/// The real system calls.
package struct LinuxFileSystem: FileSystemCalls {
    package init() {}

    package func openFolder(path: String, followsLink: Bool) throws(SystemError) -> CInt {
        try systemCall { open(path.pathBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)) }
    }

    package func openFolder(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try systemCall { openat(folder, name.pathBytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }

    package func makeFolder(path: String) throws(SystemError) {
        _ = try systemCall { mkdir(path.pathBytes, 0o777) }
    }

    package func makeFolder(in folder: CInt, name: String) throws(SystemError) {
        _ = try systemCall { mkdirat(folder, name.pathBytes, 0o777) }
    }

    package func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try systemCall { openat(folder, name.pathBytes, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
    }

    package func makePrivateFolder(path: String) throws(SystemError) {
        _ = try systemCall { mkdir(path.pathBytes, 0o700) }
    }

    package func createPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try systemCall { openat(folder, name.pathBytes, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }

    package func openFile(in folder: CInt, name: String) throws(SystemError) -> CInt {
        // O_NONBLOCK: opening a pipe of that name must not block.
        try systemCall { openat(folder, name.pathBytes, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    package func openToRead(in folder: CInt, name: String) throws(SystemError) -> CInt {
        try systemCall { openat(folder, name.pathBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    package func status(in folder: CInt, name: String) throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try systemCall { fstatat(folder, name.pathBytes, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    package func exists(in folder: CInt, name: String) throws(SystemError) -> Bool {
        var status = stat()
        do throws(SystemError) {
            _ = try systemCall { fstatat(folder, name.pathBytes, &status, AT_SYMLINK_NOFOLLOW) }
            return true
        } catch {
            if error.number == ENOENT { return false }
            throw error
        }
    }

    package func device(in folder: CInt, name: String) throws(SystemError) -> UInt64 {
        var device: CUnsignedLongLong = 0
        _ = try systemCall { ac_device(folder, name.pathBytes, &device) }
        return device
    }

    package func devices(above folder: CInt) -> Set<UInt64> {
        var devices: Set<UInt64> = []
        var path = ".."
        var last: FileStatus?
        while let status = try? status(in: folder, name: path) {
            // In the topmost folder, `..` is the folder itself.
            if let last, status.isSame(as: last) { break }
            devices.insert(status.device)
            last = status
            path += "/.."
        }
        return devices
    }

    package func path(of folder: CInt) throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = try systemCall { readlink("/proc/self/fd/\(folder)", &buffer, buffer.count) }
        return PathText.text(of: buffer.prefix(length).map(UInt8.init(bitPattern:)))
    }

    package func checkWritable(_ folder: CInt) throws(SystemError) {
        _ = try systemCall { faccessat(folder, ".", W_OK | X_OK, 0) }
    }

    package func status(of descriptor: CInt) throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try systemCall { fstat(descriptor, &status) }
        return FileStatus(status)
    }

    package func lock(_ descriptor: CInt) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try systemCall { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.number == EWOULDBLOCK { return false }
            throw error
        }
    }

    package func waitForLock(_ descriptor: CInt) throws(SystemError) {
        _ = try systemCall { flock(descriptor, LOCK_EX) }
    }

    package func mark(_ descriptor: CInt, _ attribute: String, _ value: [UInt8]) throws(SystemError) {
        _ = try systemCall { ac_set_attribute(descriptor, attribute, value, UInt(value.count)) }
    }

    package func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError) {
        do throws(SystemError) {
            _ = try systemCall { ac_unmark(descriptor, attribute) }
        } catch {
            guard error.number == ENODATA else { throw error }
        }
    }

    package func mark(
        of descriptor: CInt, _ attribute: String, atMost length: Int
    ) throws(SystemError) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: length)
        do throws(SystemError) {
            let count = try systemCall { ac_attribute(descriptor, attribute, &value, UInt(length)) }
            return Array(value.prefix(count))
        } catch {
            if error.number == ERANGE { return [] }
            guard error.number == ENODATA else { throw error }
            return nil
        }
    }

    package func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
        try systemCall { writev(descriptor, buffers.baseAddress, CInt(buffers.count)) }
    }

    package func write(
        _ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    )
        throws(SystemError) -> Int
    {
        try systemCall { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    package func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    )
        throws(SystemError) -> Int
    {
        try systemCall { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    package func copy(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) -> Int {
        var (from, to) = (Int(range.lowerBound), Int(offset))
        return try systemCall { ac_copy_file_range(source, &from, target, &to, UInt(range.count)) }
    }

    package func copyAccess(of source: CInt, to target: CInt) {
        var status = stat()
        guard fstat(source, &status) == 0 else { return }
        // Only root may change the owner. Then the group must not get more than it had.
        let isOwners = fchown(target, status.st_uid, status.st_gid) == 0
        fchmod(target, status.st_mode & (isOwners ? 0o777 : 0o707))
    }

    package func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError) {
        _ = try systemCall { ftruncate(descriptor, off_t(size)) }
    }

    package func sync(_ descriptor: CInt) throws(SystemError) {
        _ = try systemCall { fdatasync(descriptor) }
    }

    package func syncFolder(_ folder: CInt) throws(SystemError) {
        _ = try systemCall { fsync(folder) }
    }

    package func syncFileSystem(of descriptor: CInt) throws(SystemError) {
        _ = try systemCall { ac_syncfs(descriptor) }
    }

    package func rename(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        _ = try systemCall { ac_rename_without_replacing(folder, old.pathBytes, folder, new.pathBytes) }
    }

    package func rename(in folder: CInt, _ old: String, replacing new: String) throws(SystemError) {
        _ = try systemCall { renameat(folder, old.pathBytes, folder, new.pathBytes) }
    }

    package func exchange(in folder: CInt, _ one: String, _ other: String) throws(SystemError) {
        _ = try systemCall { ac_exchange(folder, one.pathBytes, other.pathBytes) }
    }

    package func link(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        _ = try systemCall { linkat(folder, old.pathBytes, folder, new.pathBytes, 0) }
    }

    package func remove(in folder: CInt, name: String) throws(SystemError) {
        _ = try systemCall { unlinkat(folder, name.pathBytes, 0) }
    }

    package func close(_ descriptor: CInt) {
        _ = Glibc.close(descriptor)
    }

    package func space(of descriptor: CInt) throws(SystemError) -> DiskSpace {
        var status = statvfs()
        _ = try systemCall { fstatvfs(descriptor, &status) }
        return DiskSpace(status)
    }

    package func names(in folder: CInt, where isWanted: (FolderEntry) -> Bool) throws(SystemError) -> [FolderEntry] {
        try FolderEntry.list(folder, where: isWanted)
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        self.init(
            size: Int64(status.st_size), device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            links: UInt64(status.st_nlink), isRegularFile: status.st_mode & S_IFMT == S_IFREG,
            changed: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }
}
