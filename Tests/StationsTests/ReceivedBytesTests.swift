// SPDX-License-Identifier: MIT

import TestTools
import Testing

@testable import RadioCore
@testable import Stations

/// The bytes of a file, compared with those of another response.
struct ReceivedBytesTests {
    private static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Splits bytes into pieces of random sizes.
    private static func pieces(_ bytes: [UInt8], upTo most: Int, _ random: inout SplitMix64) -> [ArraySlice<UInt8>] {
        var (pieces, rest) = ([] as [ArraySlice<UInt8>], bytes[...])
        while !rest.isEmpty {
            pieces.append(rest.prefix(Int.random(in: 1...most, using: &random)))
            rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        return pieces
    }

    private static func received(_ bytes: [UInt8], _ random: inout SplitMix64) -> ReceivedBytes {
        var received = ReceivedBytes()
        for piece in pieces(bytes, upTo: 20_000, &random) { piece.withUnsafeBytes { received.append($0) } }
        return received
    }

    /// The verdict on a response, and how many of its bytes it took.
    private static func compare(
        _ received: ReceivedBytes, with body: [UInt8], from place: Int, _ random: inout SplitMix64
    ) -> (verdict: ReceivedBytes.Comparison.Verdict, taken: Int)? {
        guard var comparison = received.comparison(from: Int64(place)) else { return nil }
        var taken = 0
        for piece in pieces(body, upTo: 9_000, &random) {
            let verdict = piece.withUnsafeBytes { comparison.take($0) }
            if case .proven(let count) = verdict { return (verdict, taken + count) }
            taken += piece.count
            if verdict == .differs { return (verdict, taken) }
        }
        return (.same(isProgress: false), taken)
    }

    @Test(
        "A23: Equal bytes are proven equal to the byte, however they are split",
        arguments: [1, 7, 1_023, 1_024, 4_096, 5_120, 5_121, 100_003, 300_000])
    func equal(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let file = Self.bytes(count + 50_000)
        let received = Self.received(Array(file[..<count]), &random)
        let place = Int(received.resumePlace)
        #expect(place <= max(0, count - 1_024) && count - place <= 1_024 + 4_096)
        for place in [0, place] {
            let found = try #require(Self.compare(received, with: Array(file[place...]), from: place, &random))
            #expect(place + found.taken == count)
            guard case .proven = found.verdict else { Issue.record("\(found)"); continue }
        }
    }

    @Test("A23: One wrong byte is noticed within 4 KiB") func different() throws {
        var random = SplitMix64(seed: 3)
        let file = Self.bytes(60_000)
        let received = Self.received(file, &random)
        for _ in 0..<200 {
            var other = file
            let wrong = Int.random(in: 0..<file.count, using: &random)
            other[wrong] ^= 1 << UInt8.random(in: 0...7, using: &random)
            let found = try #require(Self.compare(received, with: other, from: 0, &random))
            #expect(found.verdict == .differs)
            #expect(found.taken > wrong && found.taken <= wrong + 4_096 + 9_000)
        }
    }

    @Test("A23: The memory of a long file is bounded and still proves the file") func long() throws {
        var random = SplitMix64(seed: 5)
        let block = Self.bytes(1 << 16)
        var received = ReceivedBytes()
        // These are 64 MiB, which are more than four thousand places of 4 KiB.
        for index in 0..<1_024 {
            var bytes = block
            bytes[index] ^= 0xFF
            bytes.withUnsafeBytes { received.append($0) }
        }
        let place = Int(received.resumePlace)
        #expect(place > 0 && Int(received.count) - place <= 1_024 + 4_096)
        let last = (place >> 16..<1_024).flatMap { index in
            var bytes = block
            bytes[index] ^= 0xFF
            return bytes
        }
        let body = Array(last[(place & 0xFFFF)...])
        guard case .proven = try #require(Self.compare(received, with: body, from: place, &random)).verdict
        else { throw SetupError("not proven") }
        // Fingerprints are dropped in the middle only.
        #expect(received.comparison(from: 4_096) != nil && received.comparison(from: 32 << 20) != nil)
        #expect(received.comparison(from: 32 << 20 + 4_096) == nil)
        #expect(received.comparison(from: -1) == nil && received.comparison(from: .max) == nil)
    }

    @Test("A23: Other bytes are noticed within 4 KiB, however many bytes came before")
    func differentAfterMuch() throws {
        var random = SplitMix64(seed: 7)
        let block = Self.bytes(1 << 20)
        var received = ReceivedBytes()
        // The end is not a multiple of any block.
        let blocks = 128
        for _ in 0..<blocks { block.withUnsafeBytes { received.append($0) } }
        block.prefix(2_345).withUnsafeBytes { received.append($0) }
        let other = Self.bytes(200_000, seed: 2)
        let piece = 9_000
        for place in [0, Int(received.resumePlace)] {
            let found = try #require(Self.compare(received, with: other, from: place, &random))
            #expect(found.verdict == .differs && found.taken <= 4_096 + piece, "\(found)")
        }
        // This response begins with the same advert of 60 s, and then continues with what is on air.
        let advert = Array(block[..<960_000])
        let found = try #require(Self.compare(received, with: advert + other, from: 0, &random))
        #expect(found.verdict == .differs && found.taken <= advert.count + 4_096 + piece, "\(found)")
        // The whole of the same file is still proven.
        var comparison = try #require(received.comparison(from: 0))
        for _ in 0..<blocks {
            let verdict = block.withUnsafeBytes { comparison.take($0) }
            #expect(verdict == .same(isProgress: true))
        }
        #expect(block.withUnsafeBytes { comparison.take($0) } == .proven(2_345))
    }
}
