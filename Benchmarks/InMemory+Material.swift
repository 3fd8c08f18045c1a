// SPDX-License-Identifier: MIT

import RadioCore

extension InMemory {
    /// MPEG-1 layer III at 128 kbit/s and 44.1 kHz: valid headers and padding, random payload.
    static func mp3(bytes: Int) -> [UInt8] {
        var random = SplitMix64(seed: 1)
        var result: [UInt8] = []
        result.reserveCapacity(bytes + 512)
        var remainder = 0
        while result.count < bytes {
            // 144 × 128000 / 44100 = 417 + 42300 / 44100
            remainder += 42_300
            let isPadded = remainder >= 44_100
            if isPadded { remainder -= 44_100 }
            result += [0xFF, 0xFB, isPadded ? 0x92 : 0x90, 0x00]
            for _ in 0..<(isPadded ? 414 : 413) { result.append(UInt8(truncatingIfNeeded: random.next() >> 8)) }
        }
        return result
    }

    /// Audio with a metadata block after every `interval` bytes: every tenth block has a title, the others are empty.
    static func icy(_ audio: [UInt8], interval: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(audio.count + audio.count / interval * 5)
        for (number, start) in stride(from: 0, to: audio.count, by: interval).enumerated() {
            let end = min(start + interval, audio.count)
            result += audio[start..<end]
            guard end - start == interval else { break }
            if number % 10 == 9 {
                let text = Array("StreamTitle='Song \(1000 + number % 9000)';".utf8)
                result += [2] + text + [UInt8](repeating: 0, count: 32 - text.count)
            } else {
                result.append(0)
            }
        }
        return result
    }
}
