// SPDX-License-Identifier: MIT

import CurlClient

/// What a response head says about the range of a file that was requested: a pure decision (RFC 9110 §14).
enum RangeAnswer: Hashable {
    /// The body begins at the requested byte. The size of the whole file is nil if the head does not state it.
    case part(of: Int64?)
    /// The body is a part that begins elsewhere, or does not say where it begins.
    case otherPart
    /// The body is the whole file.
    case whole
    /// The file ends before the requested byte, because it has this size.
    case beyondEnd(of: Int64)
    /// The server refuses the range, but a request without a range may succeed.
    case refused
    /// The answer to a request without a range would be the same.
    case failed

    /// Statuses that depend on who asks, and when, but not on the range.
    private static let independent: Set = [401, 407, 429, 502, 503, 504]

    /// `asked`: the first byte of the requested range; 0 if the whole file was requested.
    init(_ head: ResponseHead, asked: Int64) {
        let range = ContentRange(head)
        switch head.status {
        case 204, 205, ..<200, 300..<400: self = .failed
        case 206: self = range?.start == asked ? .part(of: range?.total) : .otherPart
        case ..<300: self = .whole
        case _ where asked == 0 || Self.independent.contains(head.status): self = .failed
        case 416: self = range?.total.map { .beyondEnd(of: $0) } ?? .refused
        default: self = .refused
        }
    }

    /// The byte of a file at which a partial response begins; nil if the response is not partial or does not say.
    static func first(_ head: ResponseHead) -> Int64? { head.status == 206 ? ContentRange(head)?.start : nil }

    /// Whether the body begins at the requested byte of a file.
    var isRequestedPart: Bool { if case .part = self { true } else { false } }
}

/// A `Content-Range` value: `bytes 100-199/200`, `bytes */200`.
struct ContentRange {
    var start: Int64?
    var total: Int64?

    init?(_ head: ResponseHead) {
        guard let value = head["content-range"] else { return nil }
        let words = value.lowercased().split(separator: " ")
        guard words.count == 2, words[0] == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        start = parts[0].split(separator: "-").first.flatMap { Int64($0) }
        total = Int64(parts[1])
    }
}
