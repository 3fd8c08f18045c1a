// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Collects stream parts by kind.
final class PlayedParts: StreamPartTaker {
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [[UInt8]] = []
    private(set) var formats: [StreamFormat] = []
    private(set) var titles: [String] = []
    private(set) var resyncs = 0

    init(_ parts: StreamParts = StreamParts()) { parts.pass(to: self) }

    func take(_ part: StreamPart) {
        switch part {
        case .format(let format): formats.append(format)
        case .title(let title, _, _): titles.append(title)
        case .resync, .missing: resyncs += 1
        }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes
        batch.forEach(in: bytes) { frames.append(Array($1)) }
    }
}
