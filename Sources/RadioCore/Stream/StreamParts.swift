// SPDX-License-Identifier: MIT

package import RadioFormats

/// A queue of frames with their bytes and the parts between them, first in, first out: audio that waits, or that is on
/// its way to another thread.
///
/// Holds at most one part of each kind before a frame, so that a stream cannot use up memory by sending them without
/// audio.
package struct StreamParts: Sendable {
    /// What comes next in a queue.
    package enum Element {
        case part(StreamPart)
        /// All frames up to the next part, with their bytes, which are valid during the call only.
        case frames(FrameBatch, UnsafeRawBufferPointer)
    }

    private var batch = FrameBatch()
    private var bytes: [UInt8] = []
    /// The parts, each with the index of the frame that it applies to, in order.
    private var parts: [(frame: Int, part: StreamPart)] = []
    /// The approximate memory of all frames and parts in bytes.
    package private(set) var size = 0
    /// The playing time of the frames that have a fingerprint.
    package private(set) var duration = Duration.zero

    package init() {}

    /// The number of frames.
    package var frames: Int { batch.count }
    package var isEmpty: Bool { parts.isEmpty && frames == 0 }

    /// The facts about a frame.
    package subscript(index: Int) -> FrameFacts { batch[index] }

    /// The bytes and samples of the first frames.
    package func extent(ofFirst count: Int) -> (bytes: Int, samples: Int64) {
        let samples = (0..<count).reduce(Int64(0)) { $0.addingSaturated(Int64(batch[$1].samples)) }
        return (batch.range(of: 0..<count).count, samples)
    }

    /// The number of frames before the first part.
    package var framesAhead: Int { parts.first?.frame ?? frames }

    /// The format before the first frame; nil if there is none.
    package var firstFormat: StreamFormat? {
        for case (0, .format(let format)) in parts { return format }
        return nil
    }

    /// The place of the first frame in its stream; nil if there is none.
    package var firstPlace: StatedPlace? { frames > 0 ? batch[0].place : nil }

    /// Whether one of the parts is ``StreamPart/missing(samples:)``.
    package var hasMissing: Bool {
        parts.contains { if case .missing = $0.part { true } else { false } }
    }

    /// The fingerprints and playing times of the frames that have them.
    package var marks: [FrameMark] { (0..<frames).compactMap { batch[$0].mark } }

    /// Calls `body` for all parts and frames in order.
    package func forEach(_ body: (Element) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var next = 0
            func pass(upTo end: Int) {
                guard next < end else { return }
                let run = UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: next..<end)])
                body(.frames(batch[next..<end], run))
                next = end
            }
            for (frame, part) in parts {
                pass(upTo: frame)
                body(.part(part))
            }
            pass(upTo: frames)
        }
    }

    /// Passes all parts and frames to `taker`.
    package func pass(to taker: some StreamPartTaker) {
        forEach {
            switch $0 {
            case .part(let part): taker.take(part)
            case .frames(let batch, let bytes): taker.take(batch, bytes)
            }
        }
    }
}

// MARK: - In and out

extension StreamParts {
    /// Adds a part. An earlier part of the same kind that waits for the same frame is dropped: only the last applies.
    package mutating func append(_ part: StreamPart) {
        let old = parts.lastIndex { $0.frame == frames && $0.part.isOfSameKind(as: part) }
        if let old { size -= parts.remove(at: old).part.size }
        parts.append((frames, part))
        size += part.size
    }

    package mutating func append(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        self.batch.append(batch)
        self.bytes.append(contentsOf: bytes)
        for index in 0..<batch.count {
            size += max(batch.range(of: index).count, StreamPart.leastSize)
            duration += batch[index].mark?.duration ?? .zero
        }
    }

    package mutating func append(_ other: StreamParts) {
        other.forEach {
            switch $0 {
            case .part(let part): append(part)
            case .frames(let batch, let bytes): append(batch, bytes)
            }
        }
    }

    /// Removes and returns the first part; nil if a frame comes first.
    package mutating func popPart() -> StreamPart? {
        guard parts.first?.frame == 0 else { return nil }
        let part = parts.removeFirst().part
        size -= part.size
        return part
    }

    /// Removes and returns the oldest `count` frames with the parts before them.
    package mutating func removeFirst(_ count: Int) -> StreamParts {
        let count = min(count, frames)
        defer { self = part(count..<frames, parts.filter { $0.frame >= count }) }
        return part(0..<count, parts.filter { $0.frame < count })
    }

    /// Removes and returns the oldest `count` frames with the parts before them. If no frames remain, the parts after
    /// the last frame are included.
    package mutating func prefix(_ count: Int) -> StreamParts {
        guard count >= frames else { return removeFirst(count) }
        defer { self = StreamParts() }
        return self
    }

    /// Drops the oldest `count` frames. Keeps the last format and the last title before their end, because these apply
    /// to the frames that follow.
    package mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        var rest = StreamParts()
        for (_, part) in removeFirst(count).parts {
            switch part {
            case .format, .title: rest.append(part)
            case .resync, .missing: break
            }
        }
        rest.append(self)
        self = rest
    }

    private func part(_ frames: Range<Int>, _ parts: [(frame: Int, part: StreamPart)]) -> StreamParts {
        var part = StreamParts()
        bytes.withUnsafeBytes { bytes in
            let range = batch.range(of: frames)
            part.append(batch[frames], UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        part.parts = parts.map { ($0.frame - frames.lowerBound, $0.part) }
        part.size += parts.reduce(0) { $0 + $1.part.size }
        return part
    }
}

extension StreamPart {
    /// The approximate memory in bytes.
    fileprivate var size: Int {
        guard case .title(let text, let raw, let url) = self else { return Self.leastSize }
        return Self.leastSize + text.utf8.count + raw.count + (url?.utf8.count ?? 0)
    }

    /// Even an empty part takes some memory.
    fileprivate static let leastSize = 32
}
