// SPDX-License-Identifier: MIT

import Decoding
import Instants
package import Platform
package import RadioCore
package import RadioFormats
import Storage

/// Measures recorded files.
package enum FileLevels {
    /// Decodes a whole file, and returns the loudness of each of its seconds; nil if it cannot be decoded. Blocks.
    package static func measure(
        path: String, container: Container,
        makeDecoder: @escaping DecodingThread.Maker = { format throws(DecodingError) in try Decoders.make(for: format) }
    ) throws(SystemError) -> Levels? {
        let file = try FrameFile(path: path, container: container)
        let found = Found()
        let decoding = FrameDecoding(makeDecoder) { found.take($0.windows) }
        var (number, instant, format) = (Int64(0), Int64(0), StreamFormat?.none)
        while !file.isAtEnd {
            try file.read { output in
                switch output {
                case .part(.format(let new)): format = new
                case .frames(let batch, let bytes):
                    guard let format else { break }
                    found.begin(format)
                    let slab = Slab(format: format, capacity: bytes.count)
                    var frames: [TappedFrames.Frame] = []
                    batch.forEach(in: bytes) { facts, frame in
                        guard slab.append(frame, facts) != nil else { return }
                        frames.append(.init(length: Int32(clamping: frame.count), samples: Int32(facts.samples)))
                    }
                    decoding.put(
                        TappedFrames(
                            format: format, slice: SlabSlice(slab, 0..<slab.committed), frames: frames, number: number,
                            instant: instant, start: .zero, isBreak: false))
                    number += Int64(frames.count)
                    instant += frames.reduce(0) { $0 + Int64($1.samples) }
                default: break
                }
                return true
            }
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
