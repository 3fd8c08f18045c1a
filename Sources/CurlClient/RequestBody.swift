// SPDX-License-Identifier: MIT

import Glibc
package import Platform

/// The body of a request, with the method that sends it. Its length is known before it is sent. A redirect with the
/// status 303 continues as a GET, and of a POST also one with 301 or 302; others have the body sent again.
package enum RequestBody: Sendable {
    case post([UInt8])
    case put([UInt8])
    /// These bytes of a regular file, which is read while it is sent. If the file has become shorter, the transfer ends
    /// with an error.
    case putFile(Descriptor, Range<Int>)

    var isPut: Bool { if case .post = self { false } else { true } }

    /// The number of bytes.
    var count: Int {
        switch self {
        case .post(let bytes), .put(let bytes): bytes.count
        case .putFile(_, let range): range.count
        }
    }

    /// Copies bytes from an offset on, as many as there are and fit. Returns their number; 0 or less if they cannot be
    /// read. Blocks as long as the file system does, which reads ahead.
    func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, count - offset)
        switch self {
        case .post(let bytes), .put(let bytes):
            room.copyBytes(from: bytes[offset..<offset + count])
            return count
        case .putFile(let file, let range):
            let place = off_t(range.lowerBound + offset)
            return (try? systemCall { pread(file.number, room.baseAddress, count, place) }) ?? -1
        }
    }
}
