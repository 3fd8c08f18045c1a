// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

struct StreamPartsTests {
    private static let format = StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2)

    private static func parts(_ frames: [[UInt8]], titlesBefore: Set<Int>) -> StreamParts {
        var parts = StreamParts()
        parts.append(.format(format))
        for (number, frame) in frames.enumerated() {
            if titlesBefore.contains(number) { parts.append(.title("\(number)")) }
            let facts = FrameFacts(samples: 1_152, offset: Int64(number))
            frame.withUnsafeBytes { parts.append(FrameBatch(facts, length: $0.count), $0) }
        }
        return parts
    }

    private static func words(_ parts: StreamParts) -> [String] {
        var words: [String] = []
        parts.forEach {
            switch $0 {
            case .part(.format): words.append("format")
            case .part(.title(let title, _, _)): words.append("title \(title)")
            case .part(.resync): words.append("resync")
            case .part(.missing): words.append("missing")
            case .frames(let batch, let bytes):
                batch.forEach(in: bytes) { words.append("frame \($0.offset) \(Array($1))") }
            }
        }
        return words
    }

    @Test("Parts that are taken in portions are the same as all at once", arguments: 0...4) func portions(count: Int) {
        var parts = Self.parts([[1, 2, 3], [4], [5, 6]], titlesBefore: [0, 2])
        parts.append(.resync)
        let all = Self.words(parts)
        let expected = ["format", "title 0", "frame 0 [1, 2, 3]", "frame 1 [4]", "title 2", "frame 2 [5, 6]", "resync"]
        #expect(all == expected)
        let size = parts.size
        let first = parts.removeFirst(count)
        #expect(Self.words(first) + Self.words(parts) == all)
        #expect(first.frames == min(3, count) && first.size + parts.size == size)
    }

    @Test("Parts are popped up to the next frame") func popping() {
        var parts = Self.parts([[1], [2]], titlesBefore: [0, 1])
        var popped = 0
        while parts.popPart() != nil { popped += 1 }
        #expect(popped == 2 && parts.framesAhead == 1 && parts[0].offset == 0)
        _ = parts.removeFirst(1)
        #expect(parts.framesAhead == 0 && parts.popPart() != nil && parts.popPart() == nil)
    }

    @Test("Dropped frames leave the format and the title that apply to the next frame") func dropping() {
        var parts = Self.parts([[1], [2], [3]], titlesBefore: [0, 1])
        parts.append(.resync)
        parts.drop(2)
        #expect(Self.words(parts) == ["format", "title 1", "frame 2 [3]", "resync"])
        parts.drop(1)
        #expect(Self.words(parts) == ["format", "title 1", "resync"] && parts.frames == 0)
    }

    @Test("Of several titles without a frame between them, the last one counts") func titles() {
        var parts = StreamParts()
        for number in 0..<1_000 { parts.append(.title("\(number)")) }
        #expect(Self.words(parts) == ["title 999"])
    }
}
