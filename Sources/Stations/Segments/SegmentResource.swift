// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

/// What a list names: all that is at an address, or a range of it. It is asked for, and asked for again from where it
/// broke off (RFC 9110 §13.1.5, §14). A value.
struct SegmentResource: Hashable {
    let url: String
    let range: ByteRange?

    /// What came before a connection broke off.
    struct Cut {
        let bytes: [UInt8]
        /// What shows that the rest is of the same resource.
        let validator: String
    }

    /// What has come, if the rest can be asked for: nil if the server has not stated by what it knows the resource.
    func cut(_ bytes: [UInt8], _ head: ResponseHead) -> Cut? {
        // Within a second, a date does not tell one resource from the next.
        let date = head["date"] == nil || head["date"] == head["last-modified"] ? nil : head["last-modified"]
        guard let validator = head["etag"] ?? date, !validator.hasPrefix("W/"), head["accept-ranges"] != "none",
            !bytes.isEmpty, range.map({ bytes.count < $0.length }) ?? true
        else { return nil }
        return Cut(bytes: bytes, validator: validator)
    }

    /// The first byte to ask for.
    private func first(after cut: Cut?) -> Int64 { (range?.offset ?? 0) + Int64(cut?.bytes.count ?? 0) }

    func ask(in request: inout TransferRequest, after cut: Cut?) {
        guard range != nil || cut != nil else { return }
        (request.resumeAt, request.resumeValidator) = (first(after: cut), cut?.validator)
        request.lastByte = range.map { $0.end - 1 }
    }

    /// What the head of a response to ``ask(in:after:)`` says.
    func answer(_ head: ResponseHead, after cut: Cut?) -> RangeAnswer {
        RangeAnswer(head, asked: first(after: cut))
    }

    /// What has come of the resource; nil if the response has something else.
    func bytes(of response: Fetch.Response, after cut: Cut?) -> [UInt8]? {
        let all: [UInt8]
        switch answer(response.head, after: cut) {
        case .part: all = (cut?.bytes ?? []) + response.body
        case .whole: all = Array(response.body.dropFirst(Int(clamping: range?.offset ?? 0)))
        case .otherPart, .beyondEnd, .refused, .failed: return nil
        }
        return range.map { Array(all.prefix(Int(clamping: $0.length))) } ?? all
    }

    /// How many bytes the resource has, as far as that is known beyond the length of the response.
    func length(_ head: ResponseHead, after cut: Cut?) -> Int64? {
        if let range { return range.length }
        if case .part(let total) = answer(head, after: cut) { return total }
        return nil
    }
}
