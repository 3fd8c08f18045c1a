// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

/// A station that sends ten new titles a second.
struct TitleFloodTests {
    @Test(
        "C4: An hour of ten titles a second takes no more memory than a minute of them",
        arguments: [SegmentPolicy.none, .title])
    func floodOfTitles(_ policy: SegmentPolicy) {
        var flood = Flood(policy)
        flood.run(titles: 600)
        let minute = flood.weight
        flood.run(titles: 36_000 - 600)
        #expect(flood.weight <= minute + 64, "\(minute) parts after a minute, \(flood.weight) after an hour")
        #expect(flood.heard == 36_000 && flood.mostActions <= 8)
    }
}

/// A stream with 160 bytes of audio and one title every 100 ms, from a server's bytes to the segment planner.
private struct Flood {
    private var demuxer = ICYDemuxer(interval: 160)
    private var stream: PlannedStream
    private let audio = [UInt8](repeating: 0x55, count: 160)
    private(set) var heard = 0
    private(set) var mostActions = 0

    init(_ policy: SegmentPolicy) { stream = PlannedStream(policy, from: "2026-11-21T12:00:00Z") }

    mutating func run(titles count: Int) {
        for _ in 0..<count {
            let bytes = audio + ICYMetadata.encoded(title: "Artist \(heard) - Title")
            bytes.withUnsafeBytes { input in
                var offset = 0
                while let event = demuxer.next(in: input, at: &offset) {
                    guard case .metadata(let block) = event, let raw = ICYMetadata(block.bytes).title else { continue }
                    stream.title(CharsetDecoder().title(raw))
                    heard += 1
                }
            }
            stream.frames(5)
            mostActions = max(mostActions, stream.actions.count)
            stream.actions = []
        }
    }

    /// The number of parts in everything that is retained.
    var weight: Int { Self.parts(demuxer) + Self.parts(stream.planner) }

    private static func parts(_ value: Any) -> Int {
        Mirror(reflecting: value).children.reduce(1) { $0 + parts($1.value) }
    }
}
