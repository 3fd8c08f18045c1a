// SPDX-License-Identifier: MIT

import CurlClient

/// The bytes of a file that have come so far, over one connection or several, and the comparison with bytes that come
/// again: a pure value.
struct FileBody {
    enum Verdict {
        /// From this place of the piece on the bytes are new.
        case news(from: Int)
        /// All bytes so far came before; true where more of them are proven to be the same.
        case again(isProgress: Bool)
        /// They are other bytes.
        case differs
        /// They are other bytes, and the response is a whole one: its head, and what came of its body before this
        /// piece.
        case differsFromStart(ResponseHead, [UInt8])
    }

    /// Where in the file the first byte that came stands.
    private let base: Int64
    private var past = ReceivedBytes()
    /// Compares the bytes that come again; nil while bytes are new.
    private var comparison: ReceivedBytes.Comparison?
    /// The beginning of a whole response that is being compared, while it is short: should the response be a station's,
    /// its audio begins here.
    private var compared: (head: ResponseHead, body: [UInt8])?

    /// A comparison from the first byte on finds a difference within 4 KiB.
    private static let mostCompared = 8 * 1024

    init(from base: Int64 = 0) {
        self.base = base
    }

    /// By which a file is known again.
    static func validator(_ head: ResponseHead) -> String? {
        // A weak tag does not vouch for bytes.
        head["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? head["last-modified"]
    }

    /// Whether the response has not yet come as far as those before it.
    var isComparing: Bool { comparison != nil }

    /// Another connection is opened.
    mutating func reopen() {
        (comparison, compared) = (nil, nil)
    }

    /// Has a request ask for the rest, if there is something to go on from; `old` is the head that the file began with.
    func ask(for request: inout TransferRequest, after old: ResponseHead) {
        guard base + past.resumePlace > 0 else { return }
        request.resumeAt = base + past.resumePlace
        request.resumeValidator = Self.validator(old)
    }

    /// What the answer to that is good for; nil where nothing has come of a file, or where the head is of a failure.
    mutating func resume(_ head: ResponseHead, after old: ResponseHead) -> FileResume? {
        guard past.count > 0, [200, 206, 416].contains(head.status) else { return nil }
        let resume = FileResume(head, after: old, asked: base + past.resumePlace, received: base + past.count)
        guard case .compare(let place) = resume else { return resume }
        // What begins before the first byte that came cannot be held against anything.
        guard place >= base else { return .otherwise }
        comparison = past.comparison(from: place - base)
        // A partial response (206) from a file that has changed is not the beginning of anything.
        if head.status == 200 { compared = (head, []) }
        return isComparing ? resume : .otherwise
    }

    /// What the next piece of the response is.
    mutating func look(at bytes: UnsafeRawBufferPointer) -> Verdict {
        switch comparison?.take(bytes) {
        case nil:
            return .news(from: 0)
        case .same(let isProgress):
            keep(bytes)
            return .again(isProgress: isProgress)
        case .differs:
            return compared.map { .differsFromStart($0.head, $0.body) } ?? .differs
        case .proven(let count):
            reopen()
            return .news(from: count)
        }
    }

    /// Adds bytes that are new.
    mutating func append(_ bytes: UnsafeRawBufferPointer) { past.append(bytes) }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        guard let body = compared?.body else { return }
        if body.count + bytes.count > Self.mostCompared {
            compared = nil
        } else {
            compared?.body += bytes
        }
    }
}
