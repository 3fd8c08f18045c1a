// SPDX-License-Identifier: MIT

package import RadioFormats

/// All events of a framer for one input, with frames as bytes, so that two runs can be compared.
package struct FramerTranscript: Equatable {
    package struct FrameEntry: Equatable {
        package var bytes: [UInt8]
        package var offset: Int64
        package var samples: Int
        package var backReference: Int
        package var bitRate: Int
        package var hasWrongChecksum: Bool
    }

    package enum Entry: Equatable {
        case format(StreamFormat)
        case frame(FrameEntry)
        /// Adjacent skips for the same reason are one entry, because framers may split them arbitrarily.
        case skipped(Int, SkipReason)
        case title(String)
        case discontinuity
        case missing(Int64?)
    }

    package var entries: [Entry] = []
    /// Whether the next frame has a wrong checksum.
    private var isNextWrong = false
    /// Whether the framer produced more events than so few bytes can justify, and so might never have ended.
    package var ranAway = false

    /// Feeds `pieces` to a framer, one `append` each, and records its events.
    ///
    /// Bytes of frames are fetched only after `next` has returned nil, as the contract of ``Framer`` allows.
    package init<F: Framer>(of pieces: some Sequence<ArraySlice<UInt8>>, by framer: F) {
        var framer = framer
        var budget = 64
        for piece in pieces {
            budget += 2 * piece.count
            piece.withUnsafeBytes { framer.append($0) }
            drain(&framer, &budget)
            if piece.count % 2 == 0 { framer.compact() }
        }
        framer.finish()
        drain(&framer, &budget)
    }

    package var frames: [FrameEntry] {
        entries.compactMap { entry in
            if case .frame(let frame) = entry { frame } else { nil }
        }
    }

    /// Whether the framer found exactly these frames. Tests that compare many frames ask this instead of comparing
    /// arrays, for the reason in ``FrameList``.
    package func hasFrames(_ expected: ArraySlice<[UInt8]>) -> Bool {
        let frames = frames
        return frames.count == expected.count && zip(frames, expected).allSatisfy { $0.bytes == $1 }
    }

    /// The bytes of all frames, joined.
    package var frameBytes: [UInt8] { frames.flatMap(\.bytes) }

    package var formats: [StreamFormat] {
        entries.compactMap { entry in
            if case .format(let format) = entry { format } else { nil }
        }
    }

    package var titles: [String] {
        entries.compactMap { entry in
            if case .title(let title) = entry { title } else { nil }
        }
    }

    /// Places where a frame does not follow the one before it, whether or not audio is known to be missing there.
    /// How many frames came before each of these entries.
    package func frames(before isWanted: (Entry) -> Bool) -> [Int] {
        var (count, before): (Int, [Int]) = (0, [])
        for entry in entries {
            if case .frame = entry { count += 1 }
            if isWanted(entry) { before.append(count) }
        }
        return before
    }

    package var discontinuities: Int { entries.count { $0 == .discontinuity } + missing.count }

    /// The lengths of missing audio in samples; nil where the length is unknown.
    package var missing: [Int64?] {
        entries.compactMap { entry in
            if case .missing(let samples) = entry { .some(samples) } else { nil }
        }
    }

    /// Bytes skipped for `reason`, or for any reason if it is nil.
    package func skipped(_ reason: SkipReason? = nil) -> Int {
        entries.reduce(0) { sum, entry in
            guard case .skipped(let count, let why) = entry, reason == nil || reason == why else { return sum }
            return sum + count
        }
    }

    /// The sum of frame bytes and skipped bytes; once finished, the length of the input.
    package var accounted: Int { skipped() + frames.reduce(0) { $0 + $1.bytes.count } }

    private mutating func drain<F: Framer>(_ framer: inout F, _ budget: inout Int) {
        var events: [FramerEvent] = []
        while let event = framer.next() {
            events.append(event)
            budget -= 1
            guard budget > 0 else {
                ranAway = true
                break
            }
        }
        for event in events { note(event, framer) }
    }

    private mutating func note<F: Framer>(_ event: FramerEvent, _ framer: F) {
        switch event {
        case .format(let format): entries.append(.format(format))
        case .title(let title): entries.append(.title(title))
        case .discontinuity: entries.append(.discontinuity)
        case .missing(let samples): entries.append(.missing(samples))
        case .wrongChecksum: isNextWrong = true
        case .frame(let frame):
            let bytes = framer.withBytes(of: frame) { Array($0) }
            entries.append(
                .frame(
                    FrameEntry(
                        bytes: bytes, offset: frame.offset, samples: frame.samples,
                        backReference: frame.backReference, bitRate: frame.bitRate,
                        hasWrongChecksum: isNextWrong)))
            isNextWrong = false
        case .skipped(let count, let reason):
            if case .skipped(let before, reason) = entries.last {
                entries[entries.count - 1] = .skipped(before + count, reason)
            } else {
                entries.append(.skipped(count, reason))
            }
        }
    }
}
