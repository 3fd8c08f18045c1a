// SPDX-License-Identifier: MIT

import Testing

@testable import RadioFormats

struct ICYDemuxerTests {
    /// Audio with metadata blocks in it, and the audio and blocks that the demuxer must return.
    private struct Stream {
        var bytes: [UInt8] = []
        var audio: [UInt8] = []
        var blocks: [ICYBlock] = []

        init(interval: Int, audioLength: Int, seed: UInt64) {
            var generator = SplitMix64(seed: seed)
            audio = generator.bytes(audioLength)
            var units = [0, 1, 255, 0, 254, 2].makeIterator()
            for start in stride(from: 0, to: audio.count, by: interval) {
                let part = audio[start..<min(start + interval, audio.count)]
                bytes += part
                guard part.count == interval else { continue }
                let length = units.next() ?? (Int.random(in: 0...9, using: &generator) == 0 ? 3 : 0)
                bytes.append(UInt8(length))
                guard length > 0 else { continue }
                let block = generator.bytes(16 * length)
                bytes += block
                blocks.append(ICYBlock(bytes: block, audioOffset: Int64(start + interval)))
            }
        }
    }

    private struct Output: Equatable {
        var audio: [UInt8] = []
        var blocks: [ICYBlock] = []

        init(of pieces: [ArraySlice<UInt8>], interval: Int?) {
            var demuxer = ICYDemuxer(interval: interval)
            for piece in pieces {
                piece.withUnsafeBytes { input in
                    var offset = 0
                    while let event = demuxer.next(in: input, at: &offset) {
                        switch event {
                        case .audio(let range):
                            #expect(!range.isEmpty)
                            audio += input[range]
                        case .metadata(let block): blocks.append(block)
                        }
                    }
                    #expect(offset == input.count)
                }
            }
            #expect(demuxer.audioBytes == Int64(audio.count))
        }
    }

    @Test(
        "C1: Audio and metadata blocks are the same for every interval and every split",
        arguments: [1, 2, 16, 64, 255, 1000, 8192, 16_000, 65_536])
    func splits(_ interval: Int) {
        let stream = Stream(interval: interval, audioLength: max(900, interval * 3 + 5), seed: UInt64(interval))
        let whole = Output(of: [stream.bytes[...]], interval: interval)
        #expect(whole.audio == stream.audio && whole.blocks == stream.blocks)
        var splits: [Split] = [.every(1), .every(2), .every(17), .every(interval), .every(interval + 1)]
        splits += (0..<20).map { .random(seed: $0) }
        splits += stride(from: 0, to: stream.bytes.count, by: max(1, stream.bytes.count / 200)).map { .at($0) }
        for split in splits {
            #expect(Output(of: split.pieces(of: stream.bytes[...]), interval: interval) == whole, "\(split)")
        }
    }

    @Test("C1: Metadata blocks of 0 to 255 units leave the audio unchanged", arguments: [1, 64, 1000, 16_000, 65_536])
    func blockLengths(_ interval: Int) {
        var generator = SplitMix64(seed: UInt64(interval))
        let audio = (0..<64).map { UInt8($0) }
        var bytes: [UInt8] = []
        var plain: [UInt8] = []
        var lengths: [Int] = []
        for units in stride(from: 0, through: 255, by: interval > 1000 ? 15 : 1) {
            let piece = (0..<interval).map { audio[$0 % 64] }
            plain += piece
            bytes += piece
            bytes.append(UInt8(units))
            bytes += [UInt8](repeating: 0x27, count: 16 * units)
            if units > 0 { lengths.append(16 * units) }
        }
        for split in [Split.whole, .random(seed: generator.next()), .random(seed: generator.next())] {
            let output = Output(of: split.pieces(of: bytes[...]), interval: interval)
            #expect(output.audio == plain, "\(split)")
            #expect(output.blocks.map(\.bytes.count) == lengths)
        }
    }

    @Test("Without a valid interval, all bytes are audio") func noInterval() {
        var generator = SplitMix64(seed: 5)
        let bytes = generator.bytes(5000)
        for interval in [nil, 0, -1, (1 << 20) + 1, .max, .min] {
            let output = Output(of: Split.every(777).pieces(of: bytes[...]), interval: interval)
            #expect(output.audio == bytes && output.blocks.isEmpty)
        }
    }

    @Test("A stream that ends inside a metadata block yields all that was complete before it") func endInBlock() {
        let bytes = Array("0123".utf8) + [1] + [UInt8](repeating: 0x41, count: 16) + Array("4567".utf8) + [2, 0x42]
        let output = Output(of: [bytes[...]], interval: 4)
        #expect(output.audio == Array("01234567".utf8))
        #expect(output.blocks == [ICYBlock(bytes: [UInt8](repeating: 0x41, count: 16), audioOffset: 4)])
    }

    @Test(
        "The metadata interval is read from the response header",
        arguments: [
            ("16000", 16_000), (" 8192 ", 8192), ("1", 1), ("1048576", 1 << 20), ("128,128", 128), ("16000\r", 16_000),
        ])
    func intervalHeader(_ value: String, _ interval: Int) {
        #expect(ICYDemuxer.interval(ofHeader: value) == interval)
    }

    @Test(
        "A nonsensical interval header counts as missing",
        arguments: ["", "0", "-1", "text", "1048577", "99999999999999999999999"])
    func invalidHeader(_ value: String) {
        #expect(ICYDemuxer.interval(ofHeader: value) == nil)
    }
}
