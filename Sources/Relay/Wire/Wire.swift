// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations

/// What a mount's listeners are sent: the station's own ring, or the pages made of its packets. Confined to the loop's
/// thread.
///
/// Also the titles, each with its place, and how much audio there was so far.
struct Wire {
    private(set) var titles = TitleTimeline()
    /// How much audio has come since the mount was tuned to the station.
    private(set) var mediaTime = Duration.zero
    private let hub: StreamHub
    private var pages: OggPages?
    private let depth: Duration
    private let serial: UInt32

    /// `serial` is any number, for the logical streams of Ogg.
    init(_ hub: StreamHub, depth: Duration, serial: UInt32) {
        self.hub = hub
        self.depth = depth
        self.serial = serial
        hub.keep(depth)
    }

    var ring: Ring { pages?.ring ?? hub.ring }

    var format: StreamFormat? { ring.format }

    /// Whether what comes in this format comes in another ring.
    func isMoved(by format: StreamFormat) -> Bool { format.codec.isOgg != (pages != nil) }

    mutating func begin(_ format: StreamFormat) {
        guard format.codec.isOgg else { return pages = nil }
        if pages == nil { pages = OggPages(depth: depth, serial: serial) }
        pages?.begin(format)
    }

    mutating func add(_ title: StreamTitle) {
        titles.add(title)
        pages?.setTitle(title.text)
    }

    mutating func append(_ chunk: Chunk) {
        mediaTime += chunk.duration
        pages?.append(chunk)
    }

    /// Nothing comes any more.
    mutating func end() { pages?.endLink() }

    /// What a listener that begins or goes on at the cursor needs first; nil where that is nothing.
    func header(at cursor: RingCursor) -> PinnedBytes? { pages?.header(at: cursor) }

    /// The same for one that leaves out what lies between the two places.
    func header(at cursor: RingCursor, comingFrom other: RingCursor) -> PinnedBytes? {
        guard let pages, pages.isLinkBetween(other, cursor) else { return nil }
        return pages.header(at: cursor)
    }
}
