// SPDX-License-Identifier: MIT

import RadioCore

/// The head of a WAV stream, with the format of its samples. It is parsed from the first bytes.
struct WAVHead: Hashable {
    enum Outcome: Hashable {
        /// There are not enough bytes yet.
        case more
        /// The head, and its length in bytes.
        case head(WAVHead, length: Int)
        /// The bytes are not a WAV stream of 32-bit floats.
        case wrong
    }

    var format: PCMFormat

    /// Longer than any head that ffmpeg writes.
    static let longest = 4_096

    /// Parses the head at the front of `bytes`; only 32-bit floats are accepted.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard bytes.count >= 12 else { return .more }
        guard isNamed("RIFF", bytes, 0), isNamed("WAVE", bytes, 8) else { return .wrong }
        var place = 12
        var format: PCMFormat?
        while bytes.count >= place + 8 {
            guard place <= longest else { return .wrong }
            let (length, content) = (number(bytes, place + 4, 4), place + 8)
            if isNamed("data", bytes, place) {
                return format.map { .head(WAVHead(format: $0), length: content) } ?? .wrong
            }
            guard length <= longest else { return .wrong }
            guard bytes.count >= content + length else { return .more }
            if isNamed("fmt ", bytes, place) {
                guard let read = self.format(bytes, content, length) else { return .wrong }
                format = read
            }
            // Chunks are padded to an even length.
            place = content + length + length % 2
        }
        return place > longest ? .wrong : .more
    }

    /// The format number for floats is 3. In the extensible format 0xFFFE, that number is in the extension.
    private static func format(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ length: Int) -> PCMFormat? {
        guard length >= 16 else { return nil }
        let named = number(bytes, place, 2)
        let code = named == 0xFFFE && length >= 26 ? number(bytes, place + 24, 2) : named
        let (channels, rate) = (number(bytes, place + 2, 2), number(bytes, place + 4, 4))
        guard code == 3, number(bytes, place + 14, 2) == 32, PCMFormat.channelCounts ~= channels,
            PCMFormat.sampleRates ~= rate
        else { return nil }
        return PCMFormat(sampleRate: rate, channels: channels)
    }

    private static func isNamed(_ name: StaticString, _ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        name.withUTF8Buffer { bytes[place..<place + 4].elementsEqual($0) }
    }

    /// Reads a little-endian number. The caller has checked that there are enough bytes.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
}
