// SPDX-License-Identifier: MIT

import Glibc
package import Platform

/// The method of a request, with the body that it sends.
package enum RequestMethod: Sendable {
    case get
    /// A redirect with the status 301, 302 or 303 continues as a GET.
    case post(RequestBody)
    /// A redirect with the status 303 continues as a GET.
    case put(RequestBody)

    /// The body; nil if there is none.
    var body: RequestBody? {
        switch self {
        case .get: nil
        case .post(let body), .put(let body): body
        }
    }

    var isPut: Bool { if case .put = self { true } else { false } }
}

/// The body of a request. Its length is known before it is sent.
package enum RequestBody: Sendable {
    case bytes([UInt8])
    /// These bytes of a regular file, which is read while it is sent. If the file has become shorter, the transfer ends
    /// with an error.
    case file(Descriptor, Range<Int>)

    /// The number of bytes.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
    }

    /// Copies bytes from an offset on, as many as there are and fit. Returns their number; 0 or less if they cannot be
    /// read. Blocks as long as the file system does, so the kernel is asked to read the next bytes ahead.
    func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, count - offset)
        guard count > 0 else { return 0 }
        switch self {
        case .bytes(let bytes):
            room.copyBytes(from: bytes[offset..<offset + count])
            return count
        case .file(let file, let range):
            let place = off_t(range.lowerBound + offset)
            posix_fadvise(file.number, place + off_t(count), Self.readAhead, POSIX_FADV_WILLNEED)
            return (try? systemCall { pread(file.number, room.baseAddress, count, place) }) ?? -1
        }
    }

    private static let readAhead: off_t = 256 << 10
}
