// SPDX-License-Identifier: MIT

package import Glibc
package import Platform

/// The calls with which recordings reach the disk, one method for one system call.
///
/// Real in ``LinuxFileSystem``; a faulty one in tests makes the n-th call fail. Names are relative to an open folder
/// and hold no separator, so nothing outside of it can be reached; no call follows a symbolic link unless it says so.
/// All block, and are made on the writer's thread (``LinuxFileSystem`` itself may be used on any). Interrupted calls
/// are repeated.
package protocol FileSystemCalls: Sendable {
    /// `open(O_DIRECTORY)` of a path as the user gave it; where its last part is a link, only if `followsLink`
    /// (otherwise ENOTDIR or ELOOP).
    func openFolder(path: String, followsLink: Bool) throws(SystemError) -> CInt
    /// `openat(O_DIRECTORY | O_NOFOLLOW)`.
    func openFolder(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `mkdir` of a path as the user gave it, mode 0777 less the umask.
    func makeFolder(path: String) throws(SystemError)
    /// `mkdirat`, mode 0777 less the umask.
    func makeFolder(in folder: CInt, name: String) throws(SystemError)
    /// `openat(O_CREAT | O_EXCL | O_NOFOLLOW)` for reading and writing, mode 0666 less the umask.
    func createFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `mkdir` of a path, mode 0700: nobody else may look inside.
    func makePrivateFolder(path: String) throws(SystemError)
    /// As ``createFile(in:name:)``, mode 0600: nobody else may read it.
    func createPrivateFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `openat(O_NOFOLLOW)` of a file that is there, for reading and writing.
    func openFile(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `openat(O_NOFOLLOW)` of a file that is there, for reading: ELOOP for a link.
    func openToRead(in folder: CInt, name: String) throws(SystemError) -> CInt
    /// `fstatat(AT_SYMLINK_NOFOLLOW)`.
    func status(in folder: CInt, name: String) throws(SystemError) -> FileStatus
    /// `fstatat(AT_SYMLINK_NOFOLLOW)`: whether the name is taken by anything.
    func exists(in folder: CInt, name: String) throws(SystemError) -> Bool
    /// `faccessat(W_OK | X_OK)`: throws where nothing could be created in the folder.
    func checkWritable(_ folder: CInt) throws(SystemError)
    /// `statx` of a name without asking whoever serves it: the device that it lies on, or that is mounted there.
    func device(in folder: CInt, name: String) throws(SystemError) -> UInt64
    /// `readlink` of `/proc/self/fd`: the path that an open folder has now.
    func path(of folder: CInt) throws(SystemError) -> String
    /// `fstat`.
    func status(of descriptor: CInt) throws(SystemError) -> FileStatus
    /// `flock(LOCK_EX | LOCK_NB)`: false where somebody else holds the lock.
    func lock(_ descriptor: CInt) throws(SystemError) -> Bool
    /// `flock(LOCK_EX)`: waits for as long as somebody else holds the lock.
    func waitForLock(_ descriptor: CInt) throws(SystemError)
    /// `fsetxattr`: gives a file an attribute (`user.…`) without a value.
    func mark(_ descriptor: CInt, _ attribute: String) throws(SystemError)
    /// `fremovexattr`: takes the attribute away again; no error where it is not there.
    func unmark(_ descriptor: CInt, _ attribute: String) throws(SystemError)
    /// `fgetxattr`: whether a file has the attribute; EOPNOTSUPP where the file system knows none.
    func isMarked(_ descriptor: CInt, _ attribute: String) throws(SystemError) -> Bool
    /// `writev` at the descriptor's place: how many bytes were taken, often fewer than offered.
    func write(_ descriptor: CInt, _ buffers: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int
    /// `pwrite`.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Int
    /// `pread`: 0 at the end.
    func read(
        _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    )
        throws(SystemError) -> Int
    /// `ftruncate`.
    func truncate(_ descriptor: CInt, to size: Int64) throws(SystemError)
    /// `fdatasync`: the data, and what is needed to find it.
    func sync(_ descriptor: CInt) throws(SystemError)
    /// `fsync` of a folder: the names in it.
    func syncFolder(_ folder: CInt) throws(SystemError)
    /// `syncfs`: everything on the file system of the descriptor.
    func syncFileSystem(of descriptor: CInt) throws(SystemError)
    /// `renameat2(RENAME_NOREPLACE)` within a folder: EEXIST where `new` is taken.
    func rename(in folder: CInt, _ old: String, toFree new: String) throws(SystemError)
    /// `renameat` within a folder: whatever is called `new` is replaced.
    func rename(in folder: CInt, _ old: String, replacing new: String) throws(SystemError)
    /// `linkat` within a folder: EEXIST where `new` is taken.
    func link(in folder: CInt, _ old: String, toFree new: String) throws(SystemError)
    /// `unlinkat`.
    func remove(in folder: CInt, name: String) throws(SystemError)
    /// `close`. Its error is of no use (the descriptor is gone either way, and what matters has been synced).
    func close(_ descriptor: CInt)
    /// `fstatvfs`: bytes that may still be written to the descriptor's file system by this user.
    func freeBytes(of descriptor: CInt) throws(SystemError) -> Int64
    /// `fdopendir`, `readdir`: the names in a folder for which `isWanted` is true, without `.` and `..`, in no order.
    func names(in folder: CInt, where isWanted: (FolderEntry) -> Bool) throws(SystemError) -> [FolderEntry]
}

/// What `fstat` says of a file.
package struct FileStatus: Hashable, Sendable {
    package var size: Int64
    package var device: UInt64
    /// With the device, what tells the file from all others.
    package var inode: UInt64
    /// How many names the file has; 0 once the last is gone.
    package var links: UInt64
    package var isRegularFile: Bool

    package init(size: Int64, device: UInt64, inode: UInt64, links: UInt64, isRegularFile: Bool = true) {
        self.size = size
        self.device = device
        self.inode = inode
        self.links = links
        self.isRegularFile = isRegularFile
    }
}

extension FileStatus {
    /// Whether both are of one and the same file or folder.
    func isSame(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// One name in a folder.
package struct FolderEntry: Hashable, Sendable {
    package var name: String
    /// Whether it is (or, where the file system does not say, may be) a folder.
    package var mayBeFolder: Bool

    package init(name: String, mayBeFolder: Bool) {
        self.name = name
        self.mayBeFolder = mayBeFolder
    }
}

extension FileSystemCalls {
    /// The bytes of a file between two places; EIO where it is shorter.
    func readAll(_ descriptor: CInt, from start: Int64, to end: Int64) throws(SystemError) -> [UInt8] {
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
