// SPDX-License-Identifier: MIT

/// The header of a frame that begins with a sync word and determines where the frame ends: MPEG audio and ADTS.
///
/// This protocol contains all that a ``SyncFramer`` needs to know of a format. Members with a default matter for some
/// formats only.
protocol SyncHeader {
    /// The size of a header in bytes.
    static var byteCount: Int { get }

    /// Parses the header at the front of `bytes`, which has at least ``byteCount`` bytes. Nil if there is no header, or
    /// if it does not state the length of its frame.
    init?(_ bytes: UnsafeRawBufferPointer)

    /// Parses the header at the front of `bytes`; nil unless it is the header of a frame that may follow this one in
    /// the same format.
    func next(_ bytes: UnsafeRawBufferPointer) -> Self?

    /// The size of the whole frame in bytes, header included.
    var length: Int { get }
    /// Whether the length was measured, because the header does not state it (free format).
    var isMeasured: Bool { get }
    /// The largest length of any frame of the same format.
    var longestLength: Int { get }
    var samples: Int { get }
    /// Bits per second; 0 if the header does not state it.
    var bitRate: Int { get }
    var format: StreamFormat { get }
    /// The format, with what the frames that begin with this header's show of it beyond their headers.
    func format(of frames: UnsafeRawBufferPointer) -> StreamFormat
    /// A key that is equal for frames that may follow each other without a new format.
    var formatKey: UInt32 { get }

    /// Measures the frame at `place`, whose header does not state its length (free format).
    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self>

    /// Whether the header equals `last` in every field that stays the same at a constant bit rate. Each such repetition
    /// makes the header more credible.
    func repeats(_ last: Self) -> Bool

    /// How well the frame's content agrees with its header. Decides between two headers that are equally likely.
    func credence(_ frame: UnsafeRawBufferPointer) -> Int

    /// The place where frames continue, if the frame at `place` is damaged but as long as this frame.
    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int>

    /// Whether this frame, which stands at the front, is whole as far as its format can show, although no header of
    /// that format stands at its end.
    func isWholeBeforeDamage(_ ahead: SyncLookahead<Self>, after last: Self) -> SyncAnswer<Void>

    /// Whether the frame describes a file instead of carrying audio.
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool
    func hasWrongChecksum(_ frame: UnsafeRawBufferPointer) -> Bool
    /// Layer III: how far the frame's main data reaches back into earlier frames, and how much space it leaves to later
    /// frames; nil otherwise.
    func mainData(of frame: UnsafeRawBufferPointer) -> MainData?
}

extension SyncHeader {
    var isMeasured: Bool { false }
    var bitRate: Int { 0 }
    func format(of frames: UnsafeRawBufferPointer) -> StreamFormat { format }
    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self> { .no }
    func repeats(_ last: Self) -> Bool { false }
    func credence(_ frame: UnsafeRawBufferPointer) -> Int { 0 }
    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int> { .no }
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool { false }
    func hasWrongChecksum(_ frame: UnsafeRawBufferPointer) -> Bool { false }
    func mainData(of frame: UnsafeRawBufferPointer) -> MainData? { nil }
}

/// An answer that the bytes at hand give.
enum SyncAnswer<Value> {
    case yes(Value)
    case no
    /// More bytes could change the answer. There is no point in asking again before `needed` bytes are at hand.
    case unknown(needed: Int)
}
