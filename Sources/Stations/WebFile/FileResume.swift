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
    /// The server refuses the rest of the file. The whole file is to be requested.
    case requestWhole
    /// The response is another file, or not a file.
    case otherwise

    /// `received` bytes of the file have been received, and the bytes from `asked` on were requested. `old` is the head
    /// of the file's first response. Nil if the head means a failure.
    init?(_ head: ResponseHead, after old: ResponseHead, asked: Int64, received: Int64) {
        switch RangeAnswer(head, asked: asked) {
        case .part:
            // A different tag or date means a different file.
            let isSame =
                !Self.differs(head["etag"], old["etag"])
                && !Self.differs(head["last-modified"], old["last-modified"])
            self = isSame ? .compare(from: asked) : .otherwise
        // Without a range in the response, the position of its bytes is unknown.
        case .otherPart: self = .otherwise
        case .whole: self = .compare(from: 0)
        case .beyondEnd(of: received): self = .complete
        case .beyondEnd, .refused: self = .requestWhole
        case .failed: return nil
        }
    }

    private static func differs(_ new: String?, _ old: String?) -> Bool {
        guard let new, let old else { return false }
        return new != old
    }
}
