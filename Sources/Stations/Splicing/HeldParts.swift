// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Parts of a stream that wait, with the bytes of their frames: first in, first out. A value.
struct HeldParts {
    private struct Held {
        var part: StreamPart
        /// Bytes of a frame, none otherwise.
        var length: Int
    }

    private var parts: [Held] = []
    private var bytes: [UInt8] = []
    /// How many frames are among them.
    private(set) var frames = 0

    var isEmpty: Bool { parts.isEmpty }

    /// The format of the first frame, where it came with one.
    var firstFormat: StreamFormat? {
        for held in parts {
            switch held.part {
            case .format(let format): return format
            case .frame: return nil
            case .title, .resync: continue
            }
        }
        return nil
    }

    /// How long the frames play; those without a mark do not count.
    var duration: Duration {
        parts.reduce(.zero) { sum, held in
            if case .frame(let facts) = held.part { sum + (facts.mark?.duration ?? .zero) } else { sum }
        }
    }

    mutating func append(_ part: StreamPart, _ frame: UnsafeRawBufferPointer) {
        if case .frame = part { frames += 1 }
        parts.append(Held(part: part, length: frame.count))
        bytes.append(contentsOf: frame)
    }

    /// Lets the oldest `count` frames go, with what stands before them; all of them with what stands behind, too.
    mutating func pass(_ count: Int, to take: (StreamPart, UnsafeRawBufferPointer) -> Void) {
        let end = count >= frames ? parts.count : place(behind: count)
        var offset = 0
        bytes.withUnsafeBytes { bytes in
            for held in parts[..<end] {
                take(held.part, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + held.length]))
                offset += held.length
            }
        }
        remove(end, bytes: offset, frames: min(count, frames))
    }

    /// Leaves the oldest `count` frames out. What holds on behind them, a format and a title, is kept.
    mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        let end = place(behind: count)
        var format: Held?
        var title: Held?
        var gone = 0
        for held in parts[..<end] {
            gone += held.length
            switch held.part {
            case .format: format = held
            case .title: title = held
            case .resync, .frame: break
            }
        }
        remove(end, bytes: gone, frames: min(count, frames))
        parts.insert(contentsOf: [format, title].compactMap(\.self), at: 0)
    }

    /// Index of the part behind the first `count` frames.
    private func place(behind count: Int) -> Int {
        guard count > 0 else { return 0 }
        var seen = 0
        for (index, held) in parts.enumerated() {
            if case .frame = held.part { seen += 1 }
            if seen == count { return index + 1 }
        }
        return parts.count
    }

    private mutating func remove(_ end: Int, bytes count: Int, frames gone: Int) {
        frames -= gone
        guard end < parts.count else { return self = HeldParts() }
        parts.removeFirst(end)
        bytes.removeFirst(count)
    }
}
