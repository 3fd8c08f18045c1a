// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

extension Companion {
    /// Reads the companion of audio with the name `base`. Throws `EFBIG` if it is too long, `EINVAL` if it is not a
    /// regular file, and `ELOOP` for a link, which no companion of ours is.
    func read(
        of base: String, in folder: CInt, _ system: any FileSystemCalls
    ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
        let file = try system.openToRead(in: folder, name: name(of: base))
        defer { system.close(file) }
        let status = try system.status(of: file)
        guard status.isRegularFile else { throw SystemError(number: EINVAL) }
        guard status.size <= maximumLength else { throw SystemError(number: EFBIG) }
        return (try system.readAll(file, from: 0, to: status.size), status)
    }

    /// Whether a file has the name of the companion; nil if unknown.
    func exists(of base: String, in folder: CInt, _ system: any FileSystemCalls) -> Bool? {
        try? system.exists(in: folder, name: name(of: base))
    }
}
