// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// HE-AAC without an announcement: only the frames' data shows it.
struct SBRTests {
    /// Fill elements of a frame: their extension type, and their length in bytes.
    private typealias Fill = (type: UInt64, count: Int)

    /// A frame of silence at 22,050 Hz (index 7) or 44,100 Hz (index 4), with fill elements behind its audio.
    private static func frame(_ fills: [Fill], rate: UInt64 = 7, number: UInt64 = 0) -> [UInt8] {
        var raw = BitWriter()
        let audio: [(UInt64, Int)] = [(0, 3), (0, 4), (100, 8), (0, 1), (0, 2), (0, 1), (0, 6), (0, 4)]
        for (value, width) in audio { raw.put(value, width) }
        for fill in fills {
            raw.put(6, 3)
            raw.put(UInt64(min(fill.count, 15)), 4)
            if fill.count >= 15 { raw.put(UInt64(fill.count - 14), 8) }
            guard fill.count > 0 else { continue }
            raw.put(fill.type, 4)
            raw.put(number & 0xF, 4)
            for place in 1..<fill.count { raw.put(fill.type <= 1 ? 0xA5 : UInt64(place * 7 & 0xFF), 8) }
        }
        raw.put(7, 3)
        var head = BitWriter()
        let length = UInt64(raw.bytes.count + 7)
        let fields: [(UInt64, Int)] = [
            (0xFFF, 12), (0, 1), (0, 2), (1, 1), (1, 2), (rate, 4), (0, 1), (1, 3), (0, 4), (length, 13), (0x7FF, 11),
            (0, 2),
        ]
        for (value, width) in fields { head.put(value, width) }
        return head.bytes + raw.bytes
    }

    private static func format(_ frames: [[UInt8]]) -> StreamFormat? {
        FramerTranscript(of: [Array(frames.joined())[...]], by: ADTSFramer()).formats.first
    }

    @Test(
        "B50: SBR is found in the fill elements at the end of each frame, of any length, also before other fill elements",
        arguments: [
            [(0xD, 13)], [(0xE, 14)], [(0xD, 15)], [(0xD, 269)], [(0xD, 40), (1, 5)], [(0xD, 3), (0, 0)],
        ] as [[(UInt64, Int)]])
    func found(fills: [(UInt64, Int)]) throws {
        let fills: [Fill] = fills.map { (type: $0.0, count: $0.1) }
        let format = try #require(Self.format((0..<6).map { Self.frame(fills, number: $0) }))
        #expect(format.sbr == .present && format.sampleRate == 22_050 && format.playedSampleRate == 44_100)
        #expect(format.words == "HE-AAC in ADTS")
    }

    @Test("B50: Without SBR in each frame, a low rate may be that of HE-AAC, and a high rate is not")
    func notFound() throws {
        let plain = try #require(Self.format((0..<6).map { Self.frame([(1, 20)], number: $0) }))
        #expect(plain.sbr == .possible && plain.words == "AAC (may be HE) in ADTS" && plain.playedSampleRate == 22_050)
        let mixed = try #require(Self.format((0..<6).map { Self.frame($0 == 1 ? [] : [(0xD, 13)], number: $0) }))
        #expect(mixed.sbr == .possible)
        let high = try #require(Self.format((0..<6).map { Self.frame([(0xD, 13)], rate: 4, number: $0) }))
        #expect(high.sbr == .absent && high.words == "AAC in ADTS")
    }

    @Test("B50: What the first frames show does not divide a recording")
    func equality() throws {
        let one = try #require(Self.format((0..<6).map { Self.frame([(0xD, 13)], number: $0) }))
        let other = try #require(Self.format((0..<6).map { Self.frame([], number: $0) }))
        #expect(one == other && one.hashValue == other.hashValue && one.sbr != other.sbr)
    }
}
