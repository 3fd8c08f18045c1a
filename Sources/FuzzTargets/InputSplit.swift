// SPDX-License-Identifier: MIT

/// Splits an input into pieces. The places depend only on the input, so that runs are reproducible.
enum InputSplit {
    static func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        // The hash is FNV-1a, so every byte affects all places.
        var state = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let longest: UInt64 = [3, 64, 1_400, 16_384][Int(state & 3)]
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            let piece = rest.prefix(Int((state >> 33) % (longest + 1)))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
