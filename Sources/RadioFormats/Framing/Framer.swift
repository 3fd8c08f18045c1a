// SPDX-License-Identifier: MIT

/// One whole frame that a framer found: an MPEG audio frame, an ADTS frame or an Ogg packet.
package struct Frame: Hashable, Sendable {
    /// Where the frame's bytes lie for ``Framer/withBytes(of:_:)``; valid until the next `append`.
    package var range: Range<Int>
    /// Offset of the frame's first byte in everything that was appended since the framer was made.
    package var offset: Int64
    /// How long the frame plays, in samples of its format's rate; 0 where that is not known (Ogg without granules).
    package var samples: Int
    /// Layer III: bytes of earlier frames that this one's main data begins in (`main_data_begin`); 0 elsewhere.
    /// A decoder that starts at a frame with 0 plays it whole.
    package var backReference: Int
    /// Layer I–III: the bit rate that the header names, in bits a second; 0 elsewhere.
    package var bitRate: Int

    package init(range: Range<Int>, offset: Int64, samples: Int, backReference: Int = 0, bitRate: Int = 0) {
        self.range = range
        self.offset = offset
        self.samples = samples
        self.backReference = backReference
        self.bitRate = bitRate
    }
}

/// Why bytes were passed over instead of framed.
package enum SkipReason: String, Hashable, Sendable, CaseIterable {
    /// No frame header where one was due, or bytes before the first lock.
    case junk
    /// ID3v2, ID3v1 or APE tag.
    case tag
    /// Xing, Info, LAME or VBRI frame: describes a file, is not audio.
    case infoFrame = "info-frame"
    /// Ogg page headers and header packets.
    case container
    /// An Ogg page with a wrong checksum, or a packet beyond the limit.
    case damaged
    /// The rest of a frame whose end never came (at `finish`).
    case truncated
}

/// What a framer has to say, in stream order.
package enum FramerEvent: Hashable, Sendable {
    /// The format of the frames that follow. Comes before the first frame and whenever it changes.
    case format(StreamFormat)
    case frame(Frame)
    /// Bytes that are not frames. Adjacent skips may come in several events; their sum is exact.
    case skipped(bytes: Int, SkipReason)
    /// A title inside the audio stream (Ogg comments; ID3 tags between frames), as "Artist - Title".
    case title(String)
    /// The next frame does not follow the one before it (a resync, a lost Ogg page, a new chain link).
    case discontinuity
    /// In place of `discontinuity`: audio is missing before the next frame. `samples` is how much the stream itself
    /// says, at the rate of that frame's format, never less than one; nil where only the fact is known. It is a claim,
    /// of any size: whoever counts with it holds it against the time that has passed.
    case missing(samples: Int64?)
    /// Layers I to III: the next frame, which is as it came, does not agree with its checksum. Ogg pages are checked
    /// before there is a frame; the checksums of ADTS are not looked at.
    case wrongChecksum
}

/// Bytes in, frames out: incremental, pure, for any split of the input.
///
/// Feed with ``append(_:)``, then call ``next()`` until it returns nil; at the end ``finish()`` and ``next()`` again.
/// The same input yields the same events for every split (adjacent skips may be cut differently).
/// Frame bytes + skipped bytes = input bytes, once finished. Confined to one thread; never traps on any input and
/// holds at most a fixed number of bytes beyond what one `append` gave.
package protocol Framer {
    /// Takes bytes over (copies them). Invalidates the ranges of all earlier frames.
    mutating func append(_ bytes: UnsafeRawBufferPointer)
    /// The next event, or nil: feed me more.
    mutating func next() -> FramerEvent?
    /// The next event where that is a frame and it takes little to see; nil says nothing.
    mutating func nextPlainFrame() -> Frame?
    /// No more bytes will come. What is left is either a last whole frame or `truncated`.
    mutating func finish()
    /// Whether a whole frame is held only until it is seen what follows it. Known once `next` has returned nil.
    var holdsFrame: Bool { get }
    /// Nothing follows for now: `next` gives that frame out all the same. It ends where the bytes at hand end, so what
    /// was lost from its middle would have to be just as long as what came after it.
    mutating func releaseHeld()
    /// What an info frame before the first frame says of the file; nil where there is none.
    var infoFrame: MPEGInfoFrame? { get }
    /// The bytes of a frame that `next` returned since the last `append`.
    func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
    /// All that ``next()`` has to say, until `take` returns false. `run` is room for frames, to be used again.
    mutating func drain(by run: inout [Frame], _ take: (FramerOutput) -> Bool)
}

/// What ``Framer/drain(by:_:)`` hands out.
package enum FramerOutput {
    /// Frames that lie one behind the other, with the bytes of all of them, which are valid during the call only.
    case frames([Frame], UnsafeRawBufferPointer)
    /// Anything but a frame.
    case event(FramerEvent)
}

extension Framer {
    // Also a protocol requirement: through `any Framer` it is dispatched once for a delivery, not once for each frame.
    package mutating func drain(by run: inout [Frame], _ take: (FramerOutput) -> Bool) {
        while true {
            while let frame = nextPlainFrame() {
                guard add(frame, to: &run, take) else { return }
            }
            switch next() {
            case .frame(let frame): guard add(frame, to: &run, take) else { return }
            case let event?: guard give(&run, take), take(.event(event)) else { return }
            case nil:
                _ = give(&run, take)
                return
            }
        }
    }

    private func add(_ frame: Frame, to run: inout [Frame], _ take: (FramerOutput) -> Bool) -> Bool {
        if let last = run.last, last.range.upperBound != frame.range.lowerBound, !give(&run, take) { return false }
        run.append(frame)
        return true
    }

    private func give(_ run: inout [Frame], _ take: (FramerOutput) -> Bool) -> Bool {
        guard var whole = run.first, let last = run.last else { return true }
        whole.range = whole.range.lowerBound..<last.range.upperBound
        defer { run.removeAll(keepingCapacity: true) }
        return withBytes(of: whole) { take(.frames(run, $0)) }
    }
}

extension Framer {
    package mutating func nextPlainFrame() -> Frame? { nil }
}

extension Framer {
    package var infoFrame: MPEGInfoFrame? { nil }
}

/// For framers that hold nothing back.
extension Framer {
    package var holdsFrame: Bool { false }
    package mutating func releaseHeld() {}
}
