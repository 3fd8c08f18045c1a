// SPDX-License-Identifier: MIT

import CurlClient

/// The bytes of a file received over one or more connections, and their comparison with bytes sent again. A pure value
/// with one owner.
struct FileBody: ~Copyable {
    enum Verdict {
        /// All bytes of the piece are new.
        case new
        /// The bytes before this index of the piece complete the proof that the file is the same. The others are new.
        case goesOn(from: Int)
        /// All bytes so far were received before. `isProgress`: whether more of them have now been proven equal.
        case again(isProgress: Bool)
        /// The bytes differ.
        case differs
        /// The bytes differ, in a response that is not partial. The values are the response's head, and its body before
        /// this piece.
        case differsFromStart(ResponseHead, [UInt8])
    }

    /// The head of the file's first response.
    private let head: ResponseHead
    /// The offset in the file of the first byte received.
    private let base: Int64
    /// The size of the file, by the latest response that states it.
    private var size: Int64?
    private var past = ReceivedBytes()
    /// Whether the next request asks for the rest of the file, because the server may send it.
    private var asksForRest = true
    /// How many bytes of the response come before the first byte received, so that they cannot be compared.
    private var lead: Int64 = 0
    /// The beginning of the file; nil if the body began elsewhere, and once it was taken.
    private var beginning: [UInt8]?
    /// Compares bytes that are sent again; nil while bytes are new.
    private var comparison: ReceivedBytes.Comparison?
    /// The head and the beginning of a whole response under comparison. If the response proves to come from a station,
    /// the station's audio begins here.
    private var compared: (head: ResponseHead, body: [UInt8])?

    /// The maximum number of bytes kept of a response under comparison. A comparison from the first byte finds a
    /// difference within 4 KiB.
    private static let mostCompared = 8 * 1024

    /// `head`: the head of the first response, which begins with byte `base` of the file.
    init(from base: Int64, _ head: ResponseHead) {
        (self.base, self.head) = (base, head)
        beginning = base == 0 && head.status == 200 ? [] : nil
        noteSize(head, from: base)
    }

    /// The validator that identifies the file's version.
    static func validator(_ head: ResponseHead) -> String? {
        // A weak tag does not guarantee equal bytes.
        head["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? head["last-modified"]
    }

    /// Whether the response has not yet reached the end of the bytes received before.
    var isComparing: Bool { comparison != nil }

    /// Whether a response that ends here ends before the file does.
    var isCut: Bool { size.map { isComparing ? base + past.count <= $0 : base + past.count < $0 } ?? false }

    /// Takes the size of the file from the head of a response from byte `place` on, if the head states it.
    private mutating func noteSize(_ head: ResponseHead, from place: Int64) {
        switch RangeAnswer(head, asked: place) {
        case .part(let total): size = total ?? size
        case .whole: size = ResponseClassifier.length(head) ?? size
        default: break
        }
    }

    /// The first byte of the next request; 0 for the whole file.
    private var asked: Int64 { asksForRest ? base + past.resumePlace : 0 }

    /// Where the next request begins; nil for the start of the file.
    var rest: FileBegin? { asked > 0 ? FileBegin(byte: asked, validator: Self.validator(head)) : nil }

    /// How to use the response to a request for ``rest``; nil if the head means a failure.
    mutating func resume(_ head: ResponseHead) -> FileResume? {
        (comparison, compared, lead) = (nil, nil, 0)
        let resume = FileResume(head, after: self.head, asked: asked, received: base + past.count)
        if resume == .requestWhole { asksForRest = false }
        // If the whole file is refused as well, the refusal was not about the rest.
        if resume == nil { asksForRest = true }
        guard case .compare(let place) = resume else { return resume }
        noteSize(head, from: place)
        lead = max(0, base - place)
        comparison = past.comparison(from: max(0, place - base))
        // The rest of a changed file is not the beginning of anything.
        if place == 0, base == 0 { compared = (head, []) }
        return isComparing ? resume : .otherwise
    }

    /// Takes the next piece of the response: compares it, and keeps what is new.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        let skipped = Int(min(lead, Int64(bytes.count)))
        lead -= Int64(skipped)
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
        switch comparison?.take(bytes) {
        case nil:
            append(bytes)
            return .new
        case .same(let isProgress):
            keep(bytes)
            return .again(isProgress: isProgress || skipped > 0)
        case .differs:
            return compared.map { .differsFromStart($0.head, $0.body) } ?? .differs
        case .proven(let count):
            (comparison, compared) = (nil, nil)
            append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count)))
            return .goesOn(from: skipped + count)
        }
    }

    /// Appends new bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        past.append(bytes)
        let room = FileBeginning.length - (beginning?.count ?? 0)
        if room > 0 { beginning?.append(contentsOf: bytes.prefix(room)) }
    }

    /// Returns the beginning of the file once, when enough of it has been received.
    mutating func takeBeginning() -> FileBeginning? {
        guard let bytes = beginning, let result = FileBeginning(bytes, of: head) else { return nil }
        beginning = nil
        return result
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        guard let body = compared?.body else { return }
        if body.count + bytes.count > Self.mostCompared {
            compared = nil
        } else {
            compared?.body += bytes
        }
    }
}
