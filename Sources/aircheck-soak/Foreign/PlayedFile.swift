// SPDX-License-Identifier: MIT

import MediaSources
import RadioCore
import RadioFormats

/// What Aircheck plays of a file: the frames that a relay would send.
final class PlayedFile: StreamPartTaker {
    private(set) var formats: [StreamFormat] = []
    private(set) var units: [AudioUnit] = []
    /// The indices of the units that do not continue the unit before them, as reported by the playout.
    private(set) var resyncs: [Int] = []
    /// Why the file, or the rest of it, was not played.
    private(set) var refusal: String?

    init(_ name: String, _ bytes: [UInt8]) throws {
        let playout = Playout([MediaItem(name: name, bytes: bytes)], repeats: false)
        var isOver = false
        for _ in 0..<1_000_000 where !isOver {
            switch playout.next() {
            case .parts(let parts): parts.pass(to: self)
            case .skipped(_, let reason): refusal = reason
            case .ended: isOver = true
            case .opened, .leftOut, .mayBeIncomplete, .idle, nil: break
            }
        }
        try Harm.unless(isOver, "the playout never ends")
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { facts, frame in
            units.append(
                AudioUnit(
                    offset: Int(facts.offset), size: frame.count, checksum: crc32(frame), samples: facts.samples))
        }
    }

    func take(_ part: StreamPart) {
        switch part {
        case .format(let format): formats.append(format)
        case .resync, .missing: resyncs.append(units.count)
        case .title: break
        }
    }
}
