// SPDX-License-Identifier: MIT

/// ADTS streams for tests, written from the standard and not by the code under test.
struct ADTSSample {
    var isMPEG2 = false
    var hasChecksum = false
    var profile = 1
    /// Index 4 stands for 44,100 Hz.
    var rateIndex = 4
    var channels = 2
    var isPrivate = false
    var blocks = 1

    /// A frame of `length` bytes with this payload at its front and, as in real frames, three set bits near the end.
    func frame(_ length: Int, _ payload: [UInt8]) -> [UInt8] {
        var bits: [(value: Int, width: Int)] = [(0xFFF, 12), (isMPEG2 ? 1 : 0, 1), (0, 2), (hasChecksum ? 0 : 1, 1)]
        bits += [(profile, 2), (rateIndex, 4), (isPrivate ? 1 : 0, 1), (channels, 3), (0, 4)]
        bits += [(length, 13), (0x7FF, 11), (blocks - 1, 2)]
        let header = bits.reduce(UInt64(0)) { $0 << $1.width | UInt64($1.value) }
        var frame = (0..<7).map { UInt8(truncatingIfNeeded: header >> (48 - 8 * $0)) }
        frame += hasChecksum ? [0x12, 0x34] : []
        frame += payload.prefix(length - frame.count - 1)
        frame += [UInt8](repeating: 0x55, count: length - frame.count - 1)
        return frame + [0x1C]
    }

    /// Frames of 60 to 400 bytes whose payload has no byte that could begin a header, unless `wild`.
    func frames(_ count: Int, seed: UInt64, wild: Bool = false) -> [[UInt8]] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let length = Int.random(in: 60...400, using: &generator)
            return frame(length, generator.bytes(length).map { wild ? $0 : $0 & 0x7F })
        }
    }
}
