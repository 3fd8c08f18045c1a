// SPDX-License-Identifier: MIT

import Testing

@testable import RadioCore

/// Fingerprints, by which frames and pieces of files are remembered.
struct FingerprintTests {
    private static func of(_ bytes: some Collection<UInt8>, after earlier: Fingerprint = .start) -> Fingerprint {
        Array(bytes).withUnsafeBytes { Fingerprint($0, after: earlier) }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "One wrong bit changes about half of the bits of a fingerprint", arguments: [1, 7, 8, 15, 16, 63, 64, 81, 418])
    func wrongBit(count: Int) {
        let right = Self.bytes(count)
        let fingerprint = Self.of(right).value
        var (least, total) = (64, 0)
        for place in 0..<count {
            for bit in 0..<8 {
                var wrong = right
                wrong[place] ^= 1 << UInt8(bit)
                let changed = (Self.of(wrong).value ^ fingerprint).nonzeroBitCount
                least = min(least, changed)
                total += changed
            }
        }
        #expect(least >= 8)
        let mean = Double(total) / Double(8 * count)
        #expect(mean > 28 && mean < 36)
    }

    @Test("Reordered words and runs of equal bytes of other lengths have other fingerprints")
    func orderAndLength() {
        let words = Self.bytes(128)
        var seen: Set<Fingerprint> = [Self.of(words)]
        for one in 0..<16 {
            for other in one + 1..<16 {
                var swapped = words
                for byte in 0..<8 { swapped.swapAt(8 * one + byte, 8 * other + byte) }
                #expect(seen.insert(Self.of(swapped)).inserted)
            }
        }
        for value: UInt8 in [0, 0xFF] {
            for count in 1..<600 {
                #expect(seen.insert(Self.of(repeatElement(value, count: count))).inserted)
            }
        }
        #expect(seen.insert(Self.of([])).inserted)
    }

    @Test("A fingerprint depends on the preceding data, but not on the address of the bytes") func chained() {
        let bytes = Self.bytes(200)
        #expect(Self.of(bytes, after: Self.of([1])) != Self.of(bytes, after: Self.of([2])))
        for shift in 1..<9 {
            let shifted = Array(repeating: 0, count: shift) + bytes
            let same = shifted.withUnsafeBytes { Fingerprint(UnsafeRawBufferPointer(rebasing: $0[shift...])) }
            #expect(same == Self.of(bytes))
        }
    }
}
