// SPDX-License-Identifier: MIT

/// The header of a frame that begins with a sync word and says where the frame ends: MPEG audio and ADTS.
///
/// It is all that a ``SyncFramer`` must be told of a format. Members with a default are of use for some formats only.
protocol SyncHeader {
    /// Bytes of a header.
    static var byteCount: Int { get }

    /// The header at the front of `bytes`, which are ``byteCount`` at least. Nil: none, or one that does not say how
    /// long its frame is.
    init?(_ bytes: UnsafeRawBufferPointer)

    /// The header at the front of `bytes` as that of a frame which follows this one in the same format.
    func next(_ bytes: UnsafeRawBufferPointer) -> Self?

    /// Bytes of the whole frame, header included.
    var length: Int { get }
    /// The length was measured, as the header does not say it (free format).
    var isMeasured: Bool { get }
    /// No frame of the same format is longer.
    var longestLength: Int { get }
    var samples: Int { get }
    /// Bits a second; 0 where the header does not say.
    var bitRate: Int { get }
    var format: StreamFormat { get }
    /// Equal for frames that may follow each other without a new format.
    var formatKey: UInt32 { get }

    /// Measures the frame whose header stands at `place` and does not say how long it is (free format).
    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self>

    /// Whether nothing about the header has changed: a bit rate that is constant proves itself with every frame.
    func repeats(_ last: Self) -> Bool

    /// How well the frame's content agrees with its header. It decides between two headers that are equally likely.
    func credence(_ frame: UnsafeRawBufferPointer) -> Int

    /// Where frames go on if the one at `place` is damaged and as long as this one.
    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int>

    /// Whether this frame, the one at the front, is whole as far as its format alone tells, though no header of that
    /// format stands at its end.
    func isWholeBeforeDamage(_ ahead: SyncLookahead<Self>, after last: Self) -> SyncAnswer<Void>

    /// Whether the frame describes a file instead of carrying audio.
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool
    func hasWrongChecksum(_ frame: UnsafeRawBufferPointer) -> Bool
    /// Layer III: what the frame's main data takes from earlier frames and leaves to later ones; nil elsewhere.
    func mainData(of frame: UnsafeRawBufferPointer) -> MainData?
}

extension SyncHeader {
    var isMeasured: Bool { false }
    var bitRate: Int { 0 }
    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self> { .no }
    func repeats(_ last: Self) -> Bool { false }
    func credence(_ frame: UnsafeRawBufferPointer) -> Int { 0 }
    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int> { .no }
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool { false }
    func hasWrongChecksum(_ frame: UnsafeRawBufferPointer) -> Bool { false }
    func mainData(of frame: UnsafeRawBufferPointer) -> MainData? { nil }
}

/// What the bytes at hand say to a question.
enum SyncAnswer<Value> {
    case yes(Value)
    case no
    /// More bytes could change the answer. Asking again is of no use before `needed` bytes are at hand.
    case unknown(needed: Int)
}
