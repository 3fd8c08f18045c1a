// SPDX-License-Identifier: MIT

import Decoding
import Instants
package import Platform
import RadioCore
import RadioFormats
package import Storage

/// Measures recorded files.
package enum FileLevels {
    /// Decodes a whole file, and returns the loudness of each of its seconds as the bytes of `Levels`; nil if it cannot
    /// be decoded. `gaps`: the frames before which audio is missing, which a decoder must not join. Blocks.
    package static func measure(_ file: FrameFile, gaps: Set<Int64> = []) throws(SystemError) -> [UInt8]? {
        var (windows, canHear) = ([SoundWindow](), true)
        let decoding = FrameDecoding({ format throws(DecodingError) in try Decoders.make(for: format) }) {
            windows += $0.windows
            canHear = $0.failure == nil
        }
        var (number, instant, format) = (Int64(0), Int64(0), StreamFormat?.none)
        var first: (meter: LevelMeter, rate: Int)?
        var bytes: [UInt8] = []
        repeat {
            try file.read { output in
                switch output {
                case .part(.format(let new)):
                    format = new
                    first = first ?? (LevelMeter(channels: new.channels), new.sampleRate)
                case .frames(let batch, let bytes):
                    guard let format else { break }
                    let slab = Slab(format: format, capacity: bytes.count)
                    batch.forEach(in: bytes) { facts, frame in
                        let start = slab.committed
                        guard slab.append(frame, facts) != nil else { return }
                        let isBreak = gaps.contains(number)
                        if isBreak { decoding.finish() }
                        decoding.put(
                            TappedFrames(
                                format: format, slice: SlabSlice(slab, start..<slab.committed),
                                sizes: [.init(length: Int32(clamping: frame.count), samples: Int32(facts.samples))],
                                number: number, instant: instant, start: .zero, isBreak: isBreak))
                        (number, instant) = (number + 1, instant.addingSaturated(Int64(facts.samples)))
                    }
                default: break
                }
                return true
            }
            if file.isAtEnd { decoding.finish() } else { decoding.settle() }
            decoding.report()
            for window in windows {
                let rate = first?.rate ?? 1
                bytes += first?.meter.take(window, at: .samples(window.instant, at: rate)) ?? []
            }
            windows = []
        } while !file.isAtEnd && (canHear || !bytes.isEmpty)
        bytes += first?.meter.end() ?? []
        guard let (meter, rate) = first, !bytes.isEmpty else { return nil }
        let head = meter.head(areFinal: true)
        // What cannot be decoded at the end is unknown.
        let length = min(Levels.mostSeconds, Int(instant) / max(1, rate)) * meter.bytesPerSecond
        let most = Int(Companion.levels.maximumLength) - head.count
        return head + bytes + Array(repeating: 0, count: max(0, min(length, most) - bytes.count))
    }
}
