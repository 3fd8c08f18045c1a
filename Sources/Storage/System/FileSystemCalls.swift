// SPDX-License-Identifier: MIT

package import Glibc
package import Platform

/// The file system calls for recordings, one method per system call.
///
/// ``LinuxFileSystem`` makes the real calls; a faulty implementation in tests makes the n-th call fail. Names are
/// relative to an open folder and contain no separator, so nothing outside the folder can be reached; no call follows a
/// symbolic link unless its comment says so. All calls block, and are made on the writer's thread (``LinuxFileSystem``
/// itself may be used on any thread). Interrupted calls are repeated.
package protocol FileSystemCalls: Sendable {
    /// `open(O_DIRECTORY)` of a path as the user gave it. If its last component is a link, it is followed only with
    /// `followsLink` (otherwise ENOTDIR or ELOOP).
    func openFolder(path: String, followsLink: Bool) throws(SystemError) -> CInt
    /// `openat(O_DIRECTORY | O_NOFOLLOW)`.
    func openFolder(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `mkdir` of a path as the user gave it, mode 0777 less the umask.
    func makeFolder(path: String) throws(SystemError)
    /// `mkdirat`, mode 0777 less the umask.
    func makeFolder(in folder: CInt, name: String) throws(SystemError)
    /// `openat(O_CREAT | O_EXCL | O_NOFOLLOW)` for reading and writing, mode 0666 less the umask.
    func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `mkdir` of a path, mode 0700: no other user may look inside.
    func makePrivateFolder(path: String) throws(SystemError)
    /// As ``createFile(in:name:)``, mode 0600: no other user may read it.
    func createPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `openat(O_NOFOLLOW)` of an existing file, for reading and writing.
    func openFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `openat(O_NOFOLLOW)` of an existing file, for reading: ELOOP for a link.
    func openToRead(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `fstatat(AT_SYMLINK_NOFOLLOW)`.
    func status(in folder: CInt, name: String) throws(SystemError) -> FileStatus
    /// `fstatat(AT_SYMLINK_NOFOLLOW)`: whether the name is taken by anything.
    func exists(in folder: CInt, name: String) throws(SystemError) -> Bool
    /// `faccessat(W_OK | X_OK)`: throws if files cannot be created in the folder.
    func checkWritable(_ folder: CInt) throws(SystemError)
    /// `statx` of a name without asking a server: the device that it lies on, or that is mounted there.
    func device(in folder: CInt, name: String) throws(SystemError) -> UInt64
    /// `fstatat` of `..`, `../..` and so on: the devices of all folders above a folder, as far as they are accessible.
    func devices(above folder: CInt) -> Set<UInt64>
    /// `readlink` of `/proc/self/fd`: the present path of an open file or folder.
    func path(of descriptor: CInt) throws(SystemError) -> String
    /// `fstat`.
    func status(of descriptor: CInt) throws(SystemError) -> FileStatus
    /// `flock(LOCK_EX | LOCK_NB)`: false if another descriptor holds the lock.
    func lock(_ descriptor: CInt) throws(SystemError) -> Bool
    /// `flock(LOCK_EX)`: blocks while another descriptor holds the lock.
    func waitForLock(_ descriptor: CInt) throws(SystemError)
    /// `fsetxattr`: sets an attribute (`user.…`).
    func mark(_ descriptor: CInt, _ attribute: String, _ value: [UInt8]) throws(SystemError)
    /// `fremovexattr`: removes the attribute; no error if it is missing.
    func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError)
    /// `fgetxattr`: the value of an attribute, empty if it is longer than `length`; nil if the file does not have the
    /// attribute. EOPNOTSUPP if the file system has no attributes.
    func mark(of descriptor: CInt, _ attribute: String, atMost length: Int) throws(SystemError) -> [UInt8]?
    /// `writev` at the descriptor's position. Returns the number of bytes accepted, often fewer than offered.
    func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int
    /// `pwrite`.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Int
    /// `pread`: 0 at the end.
    func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    )
        throws(SystemError) -> Int
    /// `copy_file_range`: copies bytes of a file to an offset of another one, often fewer than asked for, and 0 at the
    /// end. EINVAL, EXDEV or EOPNOTSUPP if the file systems cannot do that.
    func copy(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) -> Int
    /// `fchown`, `fchmod`: gives a file the owner and the mode of another one, as far as that is allowed.
    func copyAccess(of source: CInt, to target: CInt)
    /// `ftruncate`.
    func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError)
    /// `fdatasync`: writes the data to the disk, with the metadata that is needed to find it.
    func sync(_ descriptor: CInt) throws(SystemError)
    /// `fsync` of a folder: writes the names in it to the disk.
    func syncFolder(_ folder: CInt) throws(SystemError)
    /// `syncfs`: everything on the file system of the descriptor.
    func syncFileSystem(of descriptor: CInt) throws(SystemError)
    /// `renameat2(RENAME_NOREPLACE)` within a folder: EEXIST if `new` is taken.
    func rename(in folder: CInt, _ old: String, toFree new: String) throws(SystemError)
    /// `renameat` within a folder: replaces an existing `new`.
    func rename(in folder: CInt, _ old: String, replacing new: String) throws(SystemError)
    /// `renameat2(RENAME_EXCHANGE)` within a folder: ENOENT if one of the names is missing, EINVAL if the file system
    /// cannot do that.
    func exchange(in folder: CInt, _ one: String, _ other: String) throws(SystemError)
    /// `linkat` within a folder: EEXIST if `new` is taken.
    func link(in folder: CInt, _ old: String, toFree new: String) throws(SystemError)
    /// `unlinkat`.
    func remove(in folder: CInt, name: String) throws(SystemError)
    /// `close`. Ignores errors: the descriptor is gone in any case, and important data has been synced.
    func close(_ descriptor: CInt)
    /// `fstatvfs`: the space of the descriptor's file system.
    func space(of descriptor: CInt) throws(SystemError) -> DiskSpace
    /// `fdopendir`, `readdir`: the names in a folder for which `isWanted` is true, without `.` and `..`, unordered.
    func names(in folder: CInt, where isWanted: (FolderEntry) -> Bool) throws(SystemError) -> [FolderEntry]
}

/// A file's status from `fstat`.
package struct FileStatus: Hashable, Sendable {
    package var size: Int64
    package var device: UInt64
    /// The inode number. Together with the device, it identifies the file.
    package var inode: UInt64
    /// The number of the file's names; 0 once the last one has been removed.
    package var links: UInt64
    package var isRegularFile: Bool
    /// When the content was changed last, in nanoseconds since 1970.
    package var changed: Int64

    package init(
        size: Int64, device: UInt64, inode: UInt64, links: UInt64, isRegularFile: Bool = true, changed: Int64 = 0
    ) {
        self.size = size
        self.device = device
        self.inode = inode
        self.links = links
        self.isRegularFile = isRegularFile
        self.changed = changed
    }
}

extension FileStatus {
    /// Whether both are the same file or folder.
    func isSame(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

extension FileSystemCalls {
    /// Creates a folder and its missing parents.
    package func makeFolders(path: String) throws(SystemError) {
        do throws(SystemError) {
            try makeFolder(path: path)
        } catch {
            switch error.number {
            case EEXIST: return
            case ENOENT:
                guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
                try makeFolders(path: String(path[..<slash]))
                try makeFolder(path: path)
            default: throw error
            }
        }
    }

    /// The bytes of a file from `start` to `end`; throws EIO if the file is shorter.
    package func readAll(_ descriptor: CInt, from start: Int64, to end: Int64) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        var read = 0
        while read < bytes.count {
            let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, SystemError> in
                do throws(SystemError) {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[read...])
                    return .success(try self.read(descriptor, into: rest, at: start + Int64(read)))
                } catch {
                    return .failure(error)
                }
            }
            let count = try result.get()
            guard count > 0 else { throw SystemError(number: EIO) }
            read += count
        }
        return bytes
    }
}
