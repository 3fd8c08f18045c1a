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
            frame.withUnsafeBytes { parts.append(.frame(FrameFacts(samples: 1_152, offset: Int64(number))), $0) }
        }
        return parts
    }

    private static func words(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) -> String {
        switch part {
        case .format: "format"
        case .title(let title, _, _): "title \(title)"
        case .resync: "resync"
        case .missing: "missing"
        case .frame(let facts): "frame \(facts.offset) \(Array(bytes))"
        }
    }

    @Test("Parts read one by one equal the parts read all at once, empty frames included") func reader() {
        let parts = Self.parts([[1, 2, 3], [], [4], [5, 6]], titlesBefore: [0, 3])
        var (atOnce, oneByOne): ([String], [String]) = ([], [])
        parts.forEach { atOnce.append(Self.words($0, $1)) }
        var reader = StreamParts.Reader(parts)
        while let part = reader.part {
            reader.withBytes { oneByOne.append(Self.words(part, $0)) }
            reader.advance()
        }
        #expect(oneByOne == atOnce && atOnce.count == 7)
        #expect(atOnce.first == "format" && atOnce.last == "frame 3 [5, 6]")
    }

    @Test("A saved place stays where it was when the reader advances") func savedPlace() {
        var reader = StreamParts.Reader(Self.parts([[1], [2]], titlesBefore: []))
        reader.advance()
        let place = reader
        reader.advance()
        place.withBytes { #expect(Array($0) == [1]) }
        reader.withBytes { #expect(Array($0) == [2]) }
        reader.advance()
        #expect(reader.part == nil)
    }

    @Test("Of several titles without a frame between them, the last one counts") func titles() {
        var parts = StreamParts()
        for number in 0..<1_000 { parts.append(.title("\(number)")) }
        var titles: [String] = []
        parts.forEach { titles.append(Self.words($0, $1)) }
        #expect(titles == ["title 999"])
    }
}
