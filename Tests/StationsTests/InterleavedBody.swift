// SPDX-License-Identifier: MIT

import TestSupport

/// A body with metadata blocks between the audio, whose layout is known.
struct InterleavedBody {
    private(set) var bytes: [UInt8] = []
    /// The offsets of the length bytes.
    private(set) var lengths: [Int] = []
    let interval: Int

    /// Puts a block after every `interval` bytes of audio. `title` returns the title of a block; nil makes it empty.
    init(_ audio: ArraySlice<UInt8>, interval: Int, title: (_ block: Int) -> String?) {
        self.interval = interval
        var rest = audio
        while !rest.isEmpty {
            let piece = rest.prefix(interval)
            rest = rest.dropFirst(piece.count)
            bytes += piece
            guard piece.count == interval else { break }
            let block = title(lengths.count).map { ICYBody.block("StreamTitle='\($0)';") } ?? [0]
            lengths.append(bytes.count)
            bytes += block
        }
    }

    /// Puts a title into the first block, as servers do, and into every fifth one, each of another length.
    init(_ audio: ArraySlice<UInt8>, interval: Int) {
        self.init(audio, interval: interval) { block in
            block % 5 == 0 ? String(repeating: "Title \(block) ", count: 1 + block % 7) : nil
        }
    }

    /// The body with another value in one of its length bytes.
    func flipped(_ length: Int, to value: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[lengths[length]] = value
        return bytes
    }
}
