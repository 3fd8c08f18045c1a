// SPDX-License-Identifier: MIT

import Glibc
package import Platform

extension FileSystemCalls {
    /// Renames within a folder without ever replacing a file; EEXIST if `new` is taken.
    ///
    /// Uses a hard link if the file system has no such rename (NFS, eCryptfs): a crash in between then leaves both
    /// names, which recovery recognises by their common file.
    func move(in folder: CInt, _ old: String, toFree new: String) throws(SystemError) {
        do throws(SystemError) {
            try rename(in: folder, old, toFree: new)
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            try link(in: folder, old, toFree: new)
            try remove(in: folder, name: old)
        }
    }

    /// Makes the names in a folder survive a power cut, if the file system supports it (some return EINVAL).
    package func syncNames(in folder: CInt) throws(SystemError) {
        do throws(SystemError) {
            try syncFolder(folder)
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
        }
    }

    /// Writes the content of a new file, also on a disk that takes data only at the end of a file.
    func writeNew(_ descriptor: CInt, _ bytes: [UInt8]) throws(SystemError) {
        do throws(SystemError) {
            try writeAll(descriptor, bytes, at: 0)
        } catch {
            guard error.refusesPatches else { throw error }
            try append(bytes, to: descriptor)
        }
    }

    /// Writes all of `bytes` where the descriptor is.
    func append(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
        try writeAll(bytes) { rest, _ throws(SystemError) in
            let rest = UnsafeMutableRawBufferPointer(mutating: rest)
            let buffers = [iovec(iov_base: rest.baseAddress, iov_len: rest.count)]
            let result: Result<Int, SystemError> = buffers.withUnsafeBufferPointer { buffers in
                Result { () throws(SystemError) in try write(descriptor, buffers) }
            }
            return try result.get()
        }
    }

    /// Copies bytes of a file to an offset of another one, within the disk if it can do that.
    func copyAll(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) {
        var done: Int64 = 0
        while done < Int64(range.count) {
            let rest = range.lowerBound + done..<range.upperBound
            let count = try copySome(source, rest, to: target, at: offset + done)
            guard count > 0 else { throw SystemError(number: EIO) }
            done += Int64(count)
        }
    }

    private func copySome(
        _ source: CInt, _ range: Range<Int64>, to target: CInt, at offset: Int64
    ) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try copy(source, range, to: target, at: offset)
        } catch {
            guard [EINVAL, EXDEV, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            let end = min(range.upperBound, range.lowerBound + 256 << 10)
            let bytes = try readAll(source, from: range.lowerBound, to: end)
            try writeAll(target, bytes, at: offset)
            return bytes.count
        }
    }

    /// Writes all of `bytes` at `offset`.
    package func writeAll(_ descriptor: CInt, _ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try writeAll(bytes) { rest, done throws(SystemError) in
            try write(descriptor, rest, at: offset + Int64(done))
        }
    }

    /// Calls `write` with what is left of `bytes` and how much is done, until everything is written.
    private func writeAll(
        _ bytes: [UInt8], _ write: (UnsafeRawBufferPointer, Int) throws(SystemError) -> Int
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let result: Result<Int, SystemError> = bytes.withUnsafeBytes { whole in
                Result { () throws(SystemError) in
                    try write(UnsafeRawBufferPointer(rebasing: whole[done...]), done)
                }
            }
            let count = try result.get()
            guard count > 0 else { throw SystemError(number: EIO) }
            done += count
        }
    }
}
