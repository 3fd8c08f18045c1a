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
    /// The response is another file, or not a file.
    case otherwise

    /// `received` bytes of the file have been received, and the bytes from `asked` on were requested. `old` is the head
    /// of the file's first response.
    init(_ head: ResponseHead, after old: ResponseHead, asked: Int64, received: Int64) {
        let range = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 416: self = range?.total == received ? .complete : .otherwise
        case 206:
            // Without a range in the response, the position of its bytes is unknown. A different tag or date means a
            // different file.
            let isSame =
                !Self.differs(head["etag"], old["etag"])
                && !Self.differs(head["last-modified"], old["last-modified"])
            self = range?.start == asked && isSame ? .compare(from: asked) : .otherwise
        default: self = .compare(from: 0)
        }
    }

    private static func differs(_ new: String?, _ old: String?) -> Bool {
        guard let new, let old else { return false }
        return new != old
    }
}

/// A `Content-Range` value: `bytes 100-199/200`, `bytes */200`.
struct ContentRange {
    var start: Int64?
    var total: Int64?

    init?(_ value: String) {
        let words = value.lowercased().split(separator: " ")
        guard words.count == 2, words[0] == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        start = parts[0].split(separator: "-").first.flatMap { Int64($0) }
        total = Int64(parts[1])
    }
}
