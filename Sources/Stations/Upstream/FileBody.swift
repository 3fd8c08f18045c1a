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

    private var past = ReceivedBytes()
    /// Compares the bytes that come again; nil while bytes are new.
    private var comparison: ReceivedBytes.Comparison?
    /// The beginning of a whole response that is being compared, while it is short: should the response be a station's,
    /// its audio begins here.
    private var compared: (head: ResponseHead, body: [UInt8])?

    /// A comparison from the first byte on finds a difference within 4 KiB.
    private static let mostCompared = 8 * 1024

    var isEmpty: Bool { past.count == 0 }

    /// Where another response had best begin; 0 where there is nothing to go on from.
    var resumePlace: Int64 { past.resumePlace }

    /// Whether the response has not yet come as far as those before it.
    var isComparing: Bool { comparison != nil }

    /// Another connection is opened.
    mutating func reopen() {
        (comparison, compared) = (nil, nil)
    }

    /// The response with this head begins with byte `place` of the file, if it is the same file. False where nothing is
    /// known of that place.
    mutating func compare(from place: Int64, _ head: ResponseHead) -> Bool {
        comparison = past.comparison(from: place)
        // A partial response (206) from a file that has changed is not the beginning of anything.
        if head.status == 200 { compared = (head, []) }
        return isComparing
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
