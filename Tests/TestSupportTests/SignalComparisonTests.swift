// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

struct SignalComparisonTests {
    private static let played = noise(44_100, seed: 1)

    @Test("Equal signals are equal, wherever they begin")
    func same() {
        let heard = [Float](repeating: 0, count: 12_345) + Self.played + [Float](repeating: 0, count: 2_000)
        let comparison = SignalComparison(played: Self.played, heard: heard, length: 4_410)
        #expect(comparison.sections.map(\.offset) == [Int](repeating: 12_345, count: 10))
        #expect(comparison.worst ?? 0 > 80)
    }

    @Test("A delay of half a sample is not noise, and noise is measured")
    func fraction() {
        let silence = [Float](repeating: 0, count: 1_000)
        let half = zip(Self.played, Self.played.dropFirst()).map { ($0 + $1) / 2 }
        let delayed = SignalComparison(
            played: Array(Self.played[100..<40_000]), heard: silence + half + silence, length: 4_410)
        #expect(delayed.worst ?? 0 > 50)

        let noise = noise(44_100, seed: 2)
        let noisy = zip(Self.played, noise).map { $0 + 0.01 * $1 }
        let comparison = SignalComparison(played: Self.played, heard: silence + noisy + silence, length: 4_410)
        #expect(comparison.sections.allSatisfy { (38...42).contains($0.ratio) })
    }

    @Test("A drop-out and a repeat are found")
    func jumps() {
        let silence = [Float](repeating: 0, count: 1_000)
        var heard = silence + Self.played + silence
        heard.removeSubrange(14_000..<14_500)
        heard.insert(contentsOf: heard[30_000..<30_700], at: 30_700)
        let comparison = SignalComparison(played: Self.played, heard: heard, length: 2_205)
        #expect(comparison.jumps.filter { $0 != 0 }.sorted() == [-500, 700])
        #expect(comparison.sections.filter { $0.ratio < 60 }.count <= 3)
    }

    @Test("A signal that was not heard is not found")
    func nothing() {
        let silent = SignalComparison(played: Self.played, heard: [Float](repeating: 0, count: 60_000), length: 4_410)
        #expect(silent.worst ?? 0 < 10)
        let other = SignalComparison(played: Self.played, heard: noise(60_000, seed: 3), length: 4_410)
        #expect(other.worst ?? 0 < 10)
        #expect(SignalComparison(played: Self.played, heard: [], length: 4_410).worst == nil)
    }
}

/// Noise without high tones.
private func noise(_ samples: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    var poles = [Float](repeating: 0, count: 6)
    return (0..<samples).map { _ in
        var value = Float(Int64(bitPattern: random.next()) >> 40) / Float(1 << 23)
        for pole in poles.indices {
            poles[pole] += 0.3 * (value - poles[pole])
            value = poles[pole]
        }
        return value
    }
}
