// SPDX-License-Identifier: MIT

/// One whole frame that a framer found: an MPEG audio frame, an ADTS frame or an Ogg packet.
package struct Frame: Hashable, Sendable {
    /// The range of the frame's bytes for ``Framer/withBytes(of:_:)``; valid until the next `append` or `compact`.
    package var range: Range<Int>
    /// The offset of the frame's first byte in everything that was appended since the framer was created.
    package var offset: Int64
    /// The length of the frame in samples, at the rate of its format; 0 if unknown, and for a frame that only primes
    /// the decoder (Vorbis).
    package var samples: Int
    /// Layer III: how many bytes back, in earlier frames, the frame's main data begins (`main_data_begin`); 0
    /// otherwise. A decoder that starts at a frame with 0 plays it completely.
    package var backReference: Int
    /// Layers I to III: the bit rate in the header, in bits per second; 0 otherwise.
    package var bitRate: Int
    /// Where the frame is in its stream; nil if the stream does not state it.
    package var place: StatedPlace?

    package init(range: Range<Int>, offset: Int64, samples: Int, backReference: Int = 0, bitRate: Int = 0) {
        self.range = range
        self.offset = offset
        self.samples = samples
        self.backReference = backReference
        self.bitRate = bitRate
    }
}

/// Why bytes were skipped instead of framed.
package enum SkipReason: String, Hashable, Sendable, CaseIterable {
    /// Bytes where a frame header was due but is missing, or bytes before the first lock.
    case junk
    /// ID3v2, ID3v1 or APE tag.
    case tag
    /// A Xing, Info, LAME or VBRI frame, which describes a file and is not audio.
    case infoFrame = "info-frame"
    /// Ogg page headers and header packets.
    case container
    /// A header packet or a metadata block so long that it must contain a cover or another attachment.
    case attachment
    /// An Ogg page or a FLAC frame with a wrong checksum, or a packet beyond the limit.
    case damaged
    /// The rest of a frame whose end never arrived (at `finish`).
    case truncated
}

extension SkipReason {
    /// The reason for a header packet or a metadata block of this length in bytes.
    static func header(_ length: Int) -> Self { length > 64 << 10 ? .attachment : .container }
}

/// An event of a framer, in stream order.
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
    /// Takes the place of `discontinuity` if audio is missing before the next frame. `samples` is the missing length
    /// that the stream itself states, at the rate of the next frame's format. It is at least one sample, or nil if the
    /// length is unknown. The stream may claim any length: compare it with the elapsed time before relying on it.
    case missing(samples: Int64?)
    /// Layers I to III: the checksum of the next frame is wrong. The frame is returned unchanged. Ogg pages are checked
    /// before framing; the checksums of ADTS are not checked.
    case wrongChecksum
}

/// Bytes in, frames out: incremental, pure, for any split of the input.
///
/// Feed it with ``append(_:)``, then call ``next()`` until it returns nil; at the end, call ``finish()`` and then
/// ``next()`` again. The same input yields the same events for every split (adjacent skips may be cut differently).
/// Once finished, frame bytes + skipped bytes = input bytes. Confined to one thread. Never traps on any input, and
/// holds at most a fixed number of bytes beyond those of one `append`.
package protocol Framer {
    /// Copies `bytes`. Invalidates the ranges of all earlier frames.
    mutating func append(_ bytes: UnsafeRawBufferPointer)
    /// Returns the next event; nil if more bytes are needed.
    mutating func next() -> FramerEvent?
    /// Returns the next event if it is a frame that is easily recognized. Nil says nothing about the input: call
    /// ``next()``.
    mutating func nextPlainFrame() -> Frame?
    /// Frees the memory of the bytes that ``next()`` has returned, and so invalidates the ranges of all frames returned
    /// so far. Meant for a pause of the input, after ``next()`` has returned nil.
    mutating func compact()
    /// Ends the input. The bytes that are left are then returned either as a last whole frame or as `truncated`.
    mutating func finish()
    /// Whether a whole frame is held only until its successor arrives. Valid once ``next()`` has returned nil.
    var holdsFrame: Bool { get }
    /// Makes ``next()`` return the held frame although nothing follows it yet. The risk is small: the frame ends
    /// exactly where the input ends. If bytes of the frame were missing, exactly as many bytes of the next frame must
    /// have arrived.
    mutating func releaseHeld()
    /// The info frame before the first frame, which describes the file; nil if there is none.
    var infoFrame: MPEGInfoFrame? { get }
    /// Calls `body` with the bytes of a frame that `next` returned since the last `append` or `compact`.
    func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
    /// Hands all events of ``next()`` to `take`, until `take` returns false. `run` is a buffer for frames, to be
    /// reused.
    mutating func drain(by run: inout [Frame], _ take: (FramerOutput) -> Bool)
}

/// The output of ``Framer/drain(by:_:)``.
package enum FramerOutput {
    /// Frames that follow each other without a gap, with the bytes of all of them, which are valid during the call
    /// only.
    case frames([Frame], UnsafeRawBufferPointer)
    /// Anything but a frame.
    case event(FramerEvent)
}

extension Framer {
    // This method is also a protocol requirement, so that `any Framer` is dispatched once per delivery and not once per
    // frame.
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
    package mutating func compact() {}
}

/// Defaults for framers that hold nothing back.
extension Framer {
    package var holdsFrame: Bool { false }
    package mutating func releaseHeld() {}
}
