// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

extension Companion {
    /// Reads the companion of audio, which has the base name `base`. Throws `EFBIG` if it is longer than `limit`,
    /// `EINVAL` if it is not a regular file, and `ELOOP` for a link, which no companion of ours is.
    func read(
        of base: String, in folder: CInt, atMost limit: Int64, _ system: any FileSystemCalls
    ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
        let file = try system.openToRead(in: folder, name: name(of: base))
        defer { system.close(file) }
        let status = try system.status(of: file)
        guard status.isRegularFile else { throw SystemError(number: EINVAL) }
        guard status.size <= limit else { throw SystemError(number: EFBIG) }
        return (try system.readAll(file, from: 0, to: status.size), status)
    }
}
