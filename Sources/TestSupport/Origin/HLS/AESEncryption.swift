// SPDX-License-Identifier: MIT

/// AES-128 in CBC mode with PKCS#7 padding (FIPS 197), for the segments of a test: encryption only, and slow. It shares
/// nothing with the program, which decrypts with a library.
package struct AESEncryption {
    private let roundKeys: [[UInt8]]

    /// `key`: 16 bytes.
    package init(key: [UInt8]) {
        var words = (0..<4).map { Array(key[4 * $0..<4 * $0 + 4]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index % 4 == 0 {
                word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.double(constant)
            }
            words.append(zip(words[index - 4], word).map { $0 ^ $1 })
        }
        roundKeys = (0..<11).map { Array(words[4 * $0..<4 * $0 + 4].joined()) }
    }

    package func encrypt(_ bytes: [UInt8], vector: [UInt8]) -> [UInt8] {
        let padding = 16 - bytes.count % 16
        let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
        var (result, block) = ([UInt8](), vector)
        result.reserveCapacity(padded.count)
        for start in stride(from: 0, to: padded.count, by: 16) {
            for index in 0..<16 { block[index] ^= padded[start + index] }
            block = encrypted(block)
            result += block
        }
        return result
    }

    private func encrypted(_ block: [UInt8]) -> [UInt8] {
        var state = zip(block, roundKeys[0]).map { $0 ^ $1 }
        for round in 1...10 {
            // Substitution and rotation of the rows in one step: the state is stored column by column.
            state = (0..<16).map { Self.box[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 { state = (0..<16).map { Self.mixed(state, $0) } }
            for index in 0..<16 { state[index] ^= roundKeys[round][index] }
        }
        return state
    }

    private static func mixed(_ state: [UInt8], _ index: Int) -> UInt8 {
        let (column, row) = (index / 4 * 4, index % 4)
        func byte(_ offset: Int) -> UInt8 { state[column + (row + offset) % 4] }
        return double(byte(0)) ^ double(byte(1)) ^ byte(1) ^ byte(2) ^ byte(3)
    }

    /// A product with x in GF(2⁸).
    private static func double(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 != 0 ? 0x1B : 0) }

    /// The substitution table: the inverse in GF(2⁸), then an affine map. 3 generates all values but zero, and 0xF6 is
    /// its inverse.
    private static let box: [UInt8] = {
        var box = [UInt8](repeating: 0x63, count: 256)
        var (power, inverse): (UInt8, UInt8) = (1, 1)
        for _ in 0..<255 {
            power ^= double(power)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            var value = inverse ^ 0x63
            for turn: UInt8 in 1...4 {
                let (left, right) = (inverse << turn, inverse >> (8 - turn))
                value ^= left | right
            }
            box[Int(power)] = value
        }
        return box
    }()
}
