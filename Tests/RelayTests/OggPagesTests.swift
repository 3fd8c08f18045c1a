// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations
import Testing

@testable import Relay

/// Links of an Ogg chain, which are kept while a cursor may be in them.
struct OggPagesTests {
    @Test("The headers of a link are kept as long as one of its pages, and no longer")
    func links() throws {
        let source = Source()
        source.play(titles: 1, each: 50)
        weak let first = source.pages.header(at: source.pages.ring.liveEdge)
        #expect(first != nil)
        // These are more packets than a ring of five seconds holds, with a title every 20 ms.
        source.play(titles: 1000, each: 1)
        #expect(first == nil)
        for behind in stride(from: 0.1, through: 5, by: 0.1) {
            let cursor = source.pages.ring.joinPoint(behind: .seconds(behind))
            var place = cursor
            let next = try #require(source.pages.ring.bytes(at: &place))
            let beginsWithHeader = next.withBytes { $0[5] & 2 != 0 }
            #expect((source.pages.header(at: cursor) == nil) == beginsWithHeader, "\(behind)")
        }
    }

    @Test("A link between two cursors is known even if one cursor was overrun")
    func overrun() {
        let source = Source()
        source.play(titles: 1, each: 100)
        let cursor = source.pages.ring.liveEdge
        source.play(packets: 1000)
        #expect(source.pages.ring.isOverrun(cursor))
        #expect(!source.pages.isLinkBetween(cursor, source.pages.ring.liveEdge))
        source.play(titles: 1, each: 1000)
        #expect(source.pages.isLinkBetween(cursor, source.pages.ring.liveEdge))
    }
}

/// A source of Opus packets of 20 ms each, with titles in between.
private final class Source: StreamSink {
    var pages = OggPages(depth: .seconds(5), serial: 1)
    private let hub = StreamHub()
    private var title = 0

    var tolerance: Duration? { nil }

    init() {
        hub.attach(self)
        hub.begin(
            StreamFormat(
                codec: .opus, sampleRate: 48_000, channels: 2,
                headerPackets: [OpusHead.identification, OpusHead.comments]
            ))
    }

    func play(titles: Int, each packets: Int) {
        for _ in 0..<titles {
            title += 1
            pages.setTitle("Title \(title)")
            play(packets: packets)
        }
    }

    func play(packets: Int) {
        // The packet has one frame of 20 ms.
        let packet: [UInt8] = [0xFC] + Array(repeating: 7, count: 239)
        for _ in 0..<packets { packet.withUnsafeBytes { hub.append($0, samples: 960, backReference: 0) } }
        hub.flush()
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .format(let format, _): pages.begin(format)
        case .chunk(let chunk): pages.append(chunk)
        default: break
        }
    }
}
