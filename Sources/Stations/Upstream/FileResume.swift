// SPDX-License-Identifier: MIT

import CurlClient

/// How to go on with a file that broke off, by the answer to the request for its rest: a pure decision (RFC 9110 §14).
enum FileResume: Hashable {
    /// The body is the rest, once so many of its bytes are left out.
    case goOn(skip: Int64)
    /// There is no rest: the file is shorter than was said.
    case complete
    /// It is another file by now.
    case changed

    /// Of a file `received` bytes have come; `old` is the head that it began with.
    init(_ head: ResponseHead, after old: ResponseHead, received: Int64) {
        let range = head["content-range"].flatMap(ContentRange.init)
        if head.status == 416 {
            self = range?.total == received ? .complete : .changed
        } else if Self.differs(head["etag"], old["etag"]) || Self.differs(head["last-modified"], old["last-modified"]) {
            self = .changed
        } else if head.status == 206 {
            // Without a range there is no saying what comes.
            self = range?.start == received ? .goOn(skip: 0) : .changed
        } else {
            let isOther = Self.differs(head["content-length"], old["content-length"])
            self = isOther ? .changed : .goOn(skip: received)
        }
    }

    private static func differs(_ new: String?, _ old: String?) -> Bool {
        guard let new, let old else { return false }
        return new != old
    }
}

/// `bytes 100-199/200`, `bytes */200`.
private struct ContentRange {
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
