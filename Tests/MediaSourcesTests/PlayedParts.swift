// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Collects stream parts by kind.
struct PlayedParts {
    private(set) var bytes: [UInt8] = []
    private(set) var frames: [[UInt8]] = []
    private(set) var formats: [StreamFormat] = []
    private(set) var titles: [String] = []
    private(set) var resyncs = 0

    mutating func add(_ part: StreamPart, _ body: UnsafeRawBufferPointer) {
        switch part {
        case .format(let format): formats.append(format)
        case .title(let title, _, _): titles.append(title)
        case .resync, .missing: resyncs += 1
        case .frame:
            bytes += body
            frames.append(Array(body))
        }
    }
}

extension PlayedParts {
    init(_ parts: StreamParts) {
        parts.forEach { add($0, $1) }
    }
}
