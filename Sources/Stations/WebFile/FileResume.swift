// SPDX-License-Identifier: MIT

import CurlClient

/// How to use the response to a request for the rest of a file: a pure decision (RFC 9110 §14).
///
/// It depends on the head alone. Only the bytes that are sent again show whether the file is the same.
enum FileResume: Hashable {
    /// The body begins with this byte of the file, if the file is the same.
    case compare(from: Int64)
    /// There is no rest: the file is shorter than announced.
    case complete
    /// The server does not send the rest of the file. The whole file is to be requested.
    case requestWhole
    /// The response is another file, or not a file.
    case otherwise

    /// `received` bytes of the file have been received, and the bytes from `asked` on were requested. `old` is the head
    /// of the file's first response. Nil if the head means a failure.
    init?(_ head: ResponseHead, after old: ResponseHead, asked: Int64, received: Int64) {
        switch RangeAnswer(head, asked: asked) {
        case .whole: self = .compare(from: 0)
        case .part where asked == 0 || Self.isSame(head, old): self = .compare(from: asked)
        case .otherPart where asked == 0: self = .otherwise
        case .beyondEnd(of: received): self = .complete
        // A part whose place or file is not the expected one proves nothing. The whole file may.
        case .part, .otherPart, .beyondEnd, .refused: self = .requestWhole
        case .failed: return nil
        }
    }

    /// Whether neither the tag nor the date says that the file is another one.
    private static func isSame(_ new: ResponseHead, _ old: ResponseHead) -> Bool {
        ["etag", "last-modified"].allSatisfy { name in
            guard let new = new[name], let old = old[name] else { return true }
            return new == old
        }
    }
}
