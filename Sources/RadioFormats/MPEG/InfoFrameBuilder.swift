// SPDX-License-Identifier: MIT

/// Builds the Xing/Info frame at the head of a recorded layer III file. It states how many frames and bytes follow, and
/// where they are, so that players know the length and can seek.
///
/// ``frame()`` is always ``length`` bytes long: it is written at the beginning, without any totals, and overwritten in
/// place at the end. It is a frame of the stream's own format without audio, at the smallest bit rate that leaves
/// enough room. It names no encoder and no encoder delay: a part of a broadcast has neither.
package struct InfoFrameBuilder: Sendable {
    private let header: MPEGFrameHeader
    /// The size of the info frame in bytes; never changes.
    package let length: Int

    private var frames: Int64 = 0
    /// The bytes of the frames, without the info frame.
    private var bytes: Int64 = 0
    private var bitRate: Int?
    private var isVariable = false
    /// The offsets of frame 0 and of every `stride`th frame after it; at most ``mostMarks`` of them.
    private var marks: [Int64] = []
    /// The number of frames from one mark to the next; a power of two.
    private var stride: Int64 = 1

    /// Creates the builder for a file whose first frame has this header; nil for layers I and II and for free format,
    /// which cannot have an info frame.
    package init?(firstFrame header: MPEGFrameHeader) {
        guard header.layer == .three, !header.isFreeFormat else { return nil }
        for index in UInt32(1)...14 {
            guard let plain = header.plain(bitRateIndex: index), let length = plain.length,
                length >= plain.mainDataOffset + Self.contentLength
            else { continue }
            self.header = plain
            self.length = length
            return
        }
        return nil
    }

    /// Counts one frame of the file, in order.
    package mutating func add(frameLength: Int, bitRate: Int) {
        if isMarked {
            if marks.count == Self.mostMarks { thinOut() }
            if isMarked { marks.append(bytes) }
        }
        if let known = self.bitRate {
            isVariable = isVariable || bitRate != known
        } else {
            self.bitRate = bitRate
        }
        frames += 1
        bytes += Int64(frameLength)
    }

    /// Whether to keep the offset of the next frame.
    private var isMarked: Bool { frames & (stride - 1) == 0 }

    /// Counts the first frames of the file when only their totals are known, as if all of them were equally long.
    package mutating func begin(frames: Int64, bytes: Int64, bitRate: Int) {
        guard self.frames == 0, frames > 0 else { return }
        self.frames = frames
        self.bytes = bytes
        self.bitRate = bitRate
        marks = [0]
        while stride < frames { stride *= 2 }
    }

    /// The info frame for all frames that were added.
    package func frame() -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(length)
        Self.append(header.word, to: &frame)
        frame.append(contentsOf: repeatElement(0, count: header.mainDataOffset - 4))
        frame.append(contentsOf: (isVariable ? "Xing" : "Info").utf8)
        // A file that is still growing, or was left unfinished, states no totals: players would complain about wrong
        // totals.
        Self.append(frames > 0 ? Self.hasFrames | Self.hasBytes | Self.hasTable : 0, to: &frame)
        Self.append(UInt32(clamping: frames), to: &frame)
        Self.append(UInt32(clamping: bytes + Int64(length)), to: &frame)
        frame.append(contentsOf: table)
        frame.append(contentsOf: repeatElement(0, count: length - frame.count))
        return frame
    }

    /// The place in the file at each percent of the playing time, in 256ths of the file's bytes, the info frame
    /// included.
    private var table: [UInt8] {
        let total = bytes + Int64(length)
        return (0..<Int64(100)).map { percent in
            guard frames > 0 else { return UInt8(percent * 256 / 100) }
            let place = Int64(length) + offset(ofFrame: frames * percent / 100)
            return UInt8(clamping: place * 256 / total)
        }
    }

    /// The offset of a frame in bytes, counted from the end of the info frame; interpolated between two marks.
    private func offset(ofFrame frame: Int64) -> Int64 {
        let index = Int(frame / stride)
        guard index < marks.count else { return bytes }
        let isLast = index + 1 == marks.count
        let next = isLast ? bytes : marks[index + 1]
        let span = isLast ? frames - Int64(index) * stride : stride
        return marks[index] + (next - marks[index]) * (frame % stride) / max(1, span)
    }

    /// Drops every other mark, so that the table never exceeds its size.
    private mutating func thinOut() {
        marks = marks.indices.filter { $0.isMultiple(of: 2) }.map { marks[$0] }
        stride *= 2
    }

    private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// The size of the info frame's content in bytes: `Xing` or `Info`, flags, frames, bytes and the table of 100
    /// places.
    private static let contentLength = 4 + 4 + 4 + 4 + 100
    private static let hasFrames: UInt32 = 1
    private static let hasBytes: UInt32 = 2
    private static let hasTable: UInt32 = 4
    private static let mostMarks = 512
}
