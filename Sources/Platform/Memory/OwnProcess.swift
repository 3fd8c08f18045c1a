// SPDX-License-Identifier: MIT

import Glibc

/// What this process uses, from `/proc/self` (proc(5)).
package enum OwnProcess {
    /// Resident memory; nil if the kernel does not say.
    package static var residentBytes: Int? {
        guard let file = fopen("/proc/self/statm", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, CInt(buffer.count), file) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// The number of open descriptors; nil if the kernel does not say.
    package static var descriptorCount: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // "." and "..", and the descriptor of the folder itself, are not counted.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
