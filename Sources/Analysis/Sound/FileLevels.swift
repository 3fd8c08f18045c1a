// SPDX-License-Identifier: MIT

import Decoding
import Instants
package import Platform
package import RadioCore
import RadioFormats
package import Storage

/// Measures recorded files.
package enum FileLevels {
    /// Decodes a whole file, and returns the loudness of each of its seconds; nil if it cannot be decoded. `gaps`: the
    /// frames before which audio is missing, which a decoder must not join. Blocks.
    package static func measure(_ file: FrameFile, gaps: Set<Int64> = []) throws(SystemError) -> Levels? {
        let found = Found()
        let decoding = FrameDecoding({ format throws(DecodingError) in try Decoders.make(for: format) }) {
            found.take($0.windows)
        }
        var (number, instant, format) = (Int64(0), Int64(0), StreamFormat?.none)
        while !file.isAtEnd {
            try file.read { output in
                switch output {
                case .part(.format(let new)): format = new
                case .frames(let batch, let bytes):
                    guard let format else { break }
                    found.begin(format)
                    let slab = Slab(format: format, capacity: bytes.count)
                    batch.forEach(in: bytes) { facts, frame in
                        let start = slab.committed
                        guard slab.append(frame, facts) != nil else { return }
                        let isBreak = gaps.contains(number)
                        if isBreak { decoding.finish() }
                        decoding.put(
                            TappedFrames(
                                format: format, slice: SlabSlice(slab, start..<slab.committed),
                                frames: [.init(length: Int32(clamping: frame.count), samples: Int32(facts.samples))],
                                number: number, instant: instant, start: .zero, isBreak: isBreak))
                        (number, instant) = (number + 1, instant.addingSaturated(Int64(facts.samples)))
                    }
                default: break
                }
                return true
            }
            decoding.settle()
            decoding.report()
        }
        decoding.finish()
        found.end()
        return found.levels
    }

    /// What has been found so far. Used by one thread.
    private final class Found {
        private var format: StreamFormat?
        private var meter = LevelMeter(channels: 2)
        private(set) var levels: Levels?

        func begin(_ first: StreamFormat) {
            guard format == nil else { return }
            (format, meter) = (first, LevelMeter(channels: first.channels))
        }

        func take(_ windows: [SoundWindow]) {
            guard let format else { return }
            for window in windows {
                add(meter.take(window, at: .samples(window.instant, at: format.sampleRate)), format)
            }
        }

        func end() { if let format { add(meter.takeSecond(), format) } }

        private func add(_ second: LevelMeter.Second?, _ format: StreamFormat) {
            guard let second else { return }
            var levels = levels ?? Levels(channels: format.channels)
            levels.resize(to: max(levels.seconds, second.number))
            levels.append(second.entries)
            self.levels = levels
        }
    }
}
