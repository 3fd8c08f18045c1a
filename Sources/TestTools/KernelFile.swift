// SPDX-License-Identifier: MIT

import Glibc

/// Reads a kernel file (`/proc`) to its end. Such a file reports a size of 0 and is returned in pieces, so readers that
/// rely on the size or on a single read get only its beginning.
package func bytes(ofKernelFile path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SetupError("\(path): errno \(errno)") }
    defer { close(file) }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(file, &piece, piece.count)
        guard count > 0 else { return content }
        content += piece[..<count]
    }
}
