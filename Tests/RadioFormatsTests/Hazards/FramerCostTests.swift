// SPDX-License-Identifier: MIT

import Testing

@testable import RadioFormats

/// Counts a framer's work per byte: no input may cost out of proportion.
struct FramerCostTests {
    /// A hostile input: a repeated pattern with some random bytes in between.
    struct Input: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var pattern: [[UInt8]]
        var noise = 0...0

        static let all: [Input] = [
            Input(testDescription: "sync bytes", pattern: [[0xff]]),
            Input(testDescription: "headers side by side", pattern: [[0xff, 0xfb, 0x90, 0x64]]),
            Input(testDescription: "headers of long frames", pattern: [[0xff, 0xfb, 0xe8, 0x64]]),
            Input(testDescription: "headers of the shortest frames", pattern: [[0xff, 0xf3, 0x14, 0xc4]]),
            Input(testDescription: "free format side by side", pattern: [[0xff, 0xfb, 0x00, 0x64]]),
            Input(testDescription: "free format at odd places", pattern: [[0xff, 0xfb, 0x00, 0x64]], noise: 0...7),
            Input(testDescription: "free format far apart", pattern: [[0xff, 0xfb, 0x00, 0x64]], noise: 30...90),
            Input(
                testDescription: "free format of many kinds",
                pattern: [0x00, 0x04, 0x08].flatMap { rate in
                    [0xfb, 0xfa, 0xfd, 0xff, 0xf3, 0xe3].map { [0xff, $0, rate, 0x64] }
                }, noise: 0...5),
            Input(
                testDescription: "headers of many kinds",
                pattern: (1..<15).flatMap { rate in [0xfb, 0xfd, 0xf3].map { [0xff, $0, UInt8(rate << 4), 0x64] } },
                noise: 0...5),
            Input(
                testDescription: "marks of tags",
                pattern: [Array("ID3".utf8), Array("TAG".utf8), Array("APETAGE".utf8)]),
            Input(testDescription: "lyrics without end", pattern: [Array("LYRICSBEGIN".utf8)], noise: 0...3),
            Input(
                testDescription: "ADTS of the shortest frames",
                pattern: [[0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0]]),
            Input(
                testDescription: "ADTS of the longest frames", pattern: [[0xff, 0xf1, 0x50, 0x83, 0xff, 0xff, 0xfc]]),
            Input(
                testDescription: "ADTS of any length",
                pattern: (1..<32).map { [0xff, 0xf1, 0x50, 0x80, UInt8($0 * 8), 0x1f, 0xfc] }, noise: 0...9),
        ]

        func bytes(_ count: Int) -> [UInt8] {
            var random = SplitMix64(seed: 15)
            var bytes: [UInt8] = []
            while bytes.count < count {
                bytes += pattern[Int.random(in: pattern.indices, using: &random)]
                bytes += random.bytes(Int.random(in: noise, using: &random)).map { $0 == 0xff ? 0 : $0 }
            }
            return bytes
        }
    }

    @Test(
        "B15: For no input does a framer examine more than eight headers per byte", arguments: Input.all,
        [1, 1400, 100_000])
    func headersLookedAt(_ input: Input, _ piece: Int) {
        // Real frames lie in between, so that a format is known and a frame is due.
        var source = SyntheticMPEG(seed: 15)
        let bytes = input.bytes(30_000)
        let mixed = stride(from: 0, to: bytes.count, by: 3_000).flatMap {
            source.frames(3).flatMap { $0 } + bytes[$0..<min($0 + 3_000, bytes.count)]
        }
        for stream in [bytes, mixed] {
            #expect(looks(at: stream, piece, Counted<MPEGFrameShape>.self) < 8 * stream.count)
            #expect(looks(at: stream, piece, Counted<ADTSHeader>.self) < 8 * stream.count)
        }
    }

    private func looks<Header: SyncHeader>(at bytes: [UInt8], _ piece: Int, _: Counted<Header>.Type) -> Int {
        let counter = Counter()
        return Counter.$current.withValue(counter) {
            var framer = SyncFramer<Counted<Header>>()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { framer.append($0) }
                while framer.next() != nil {}
            }
            framer.finish()
            while framer.next() != nil {}
            return counter.count
        }
    }
}

private final class Counter: @unchecked Sendable {
    // The counter belongs to one test case, which runs on one thread.
    var count = 0
    @TaskLocal static var current: Counter?
}

/// A header that counts how often headers are examined.
private struct Counted<Header: SyncHeader>: SyncHeader {
    var header: Header

    static var byteCount: Int { Header.byteCount }

    private static func count(_ times: Int = 1) { Counter.current?.count += times }

    private init?(_ header: Header?) {
        guard let header else { return nil }
        self.header = header
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        Self.count()
        self.init(Header(bytes))
    }

    func next(_ bytes: UnsafeRawBufferPointer) -> Self? {
        Self.count()
        return Self(header.next(bytes))
    }

    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self> {
        switch Header.measure(plain(ahead), at: place) {
        case .yes(let header):
            return .init(Self(header))
        case .no:
            // For free format, the search for the next header may have covered a whole frame, eight bytes at a time.
            let isOpen = ahead.front(at: place).map { $0[0] == 0xff && $0[2] & 0xf0 == 0 } ?? false
            count(isOpen ? 16 : 1)
            return .no
        case .unknown(let needed): return .unknown(needed: needed)
        }
    }

    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int> {
        header.placeAfterDamage(Self.plain(ahead), at: place)
    }

    func isWholeBeforeDamage(_ ahead: SyncLookahead<Self>, after last: Self) -> SyncAnswer<Void> {
        header.isWholeBeforeDamage(Self.plain(ahead), after: last.header)
    }

    func repeats(_ last: Self) -> Bool { header.repeats(last.header) }
    func credence(_ frame: UnsafeRawBufferPointer) -> Int { header.credence(frame) }
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool { header.isInfo(frame) }
    func mainData(of frame: UnsafeRawBufferPointer) -> MainData? { header.mainData(of: frame) }
    var length: Int { header.length }
    var longestLength: Int { header.longestLength }
    var isMeasured: Bool { header.isMeasured }
    var samples: Int { header.samples }
    var bitRate: Int { header.bitRate }
    var format: StreamFormat { header.format }
    var formatKey: UInt32 { header.formatKey }

    private static func plain(_ ahead: SyncLookahead<Self>) -> SyncLookahead<Header> {
        SyncLookahead(bytes: ahead.bytes, isFinal: ahead.isFinal, hasFrames: ahead.hasFrames)
    }
}

extension SyncAnswer {
    fileprivate init(_ value: Value?) { self = value.map { .yes($0) } ?? .no }
}
