// SPDX-License-Identifier: MIT

import CurlClient

/// The bytes of a file that have come so far, over one connection or several, and what is made of bytes that come
/// again: a pure value.
struct FileBody {
    enum Verdict {
        /// From this place of the piece on the bytes are new.
        case news(from: Int)
        /// So far all has come before; true where more of it is proven to be the same.
        case again(isProgress: Bool)
        /// They are other bytes.
        case differs
        /// The same, and the response is a whole one: its head, and what came of it before this piece.
        case differsFromStart(ResponseHead, [UInt8])
    }

    private var past = ReceivedBytes()
    /// What comes again is held against that.
    private var comparison: ReceivedBytes.Comparison?
    /// A whole response that is compared, while little has come of it: should it be no file, this is how it begins.
    private var compared: (head: ResponseHead, body: [UInt8])?

    /// Bytes that are compared from the start on are told apart within 4 KiB.
    private static let mostCompared = 8 * 1024

    var isEmpty: Bool { past.count == 0 }

    /// Where another response had best begin; 0 where there is nothing to go on from.
    var resumePlace: Int64 { past.resumePlace }

    /// Whether a response has not come as far yet as those before it.
    var isComparing: Bool { comparison != nil }

    /// Another connection is opened.
    mutating func reopen() {
        (comparison, compared) = (nil, nil)
    }

    /// The response with this head begins with byte `place` of the file, if it is the same one. False where nothing is
    /// known of that place.
    mutating func compare(from place: Int64, _ head: ResponseHead) -> Bool {
        comparison = past.comparison(from: place)
        // A part of a file that is another one by now is no beginning of anything.
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

    /// These are new.
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
