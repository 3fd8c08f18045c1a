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
    /// What the last packets of Ogg were made into; it may have been left.
    private var pages: OggPages?
    /// What comes now is Ogg.
    private var isOgg = false
    /// Frames that were in the ring when it was begun to be used.
    private var framesBefore: Int64 = 0
    /// So much audio is kept at least.
    private(set) var depth: Duration
    private let serial: UInt32

    /// `serial` is any number, for the logical streams of Ogg.
    init(_ hub: StreamHub, depth: Duration, serial: UInt32) {
        self.hub = hub
        self.depth = depth
        self.serial = serial
        hub.keep(depth)
    }

    /// Where audio comes now.
    var ring: Ring { ring(isOgg: isOgg) }

    /// Where a listener of a codec is. It gets what is left there when the audio has gone elsewhere.
    func ring(of codec: Codec) -> Ring { ring(isOgg: codec.isOgg) }

    private func ring(isOgg: Bool) -> Ring { isOgg ? pages?.ring ?? hub.ring : hub.ring }

    /// Whether nothing comes any more for listeners of a codec.
    func hasLeft(_ codec: Codec) -> Bool { codec.isOgg != isOgg }

    var format: StreamFormat? { ring.format }

    var hasAudio: Bool { format != nil && ring.position.frames > framesBefore }

    /// Whether what comes in this format comes in another ring.
    func isMoved(by format: StreamFormat) -> Bool { format.codec.isOgg != isOgg }

    mutating func begin(_ format: StreamFormat) {
        if isMoved(by: format) {
            if isOgg { pages?.endLink() }
            isOgg = format.codec.isOgg
            if isOgg {
                pages = OggPages(depth: depth, serial: serial)
                // It is on the air still, and is not told again.
                if let title = hub.title { pages?.setTitle(title.text) }
            }
            framesBefore = ring.position.frames
        }
        if isOgg { pages?.begin(format) }
    }

    mutating func add(_ title: StreamTitle) {
        titles.add(title)
        if isOgg { pages?.setTitle(title.text) }
    }

    mutating func append(_ chunk: Chunk) {
        mediaTime += chunk.duration
        if isOgg { pages?.append(chunk) }
    }

    /// Keeps at least so much audio from now on.
    mutating func keep(_ depth: Duration) {
        guard depth > self.depth else { return }
        self.depth = depth
        hub.keep(depth)
        pages?.keep(depth)
    }

    /// Nothing comes any more.
    mutating func end() {
        if isOgg { pages?.endLink() }
    }

    /// What a listener that begins or goes on at the cursor needs first; nil where that is nothing.
    func header(at cursor: RingCursor) -> PinnedBytes? { isOgg ? pages?.header(at: cursor) : nil }

    /// The same for a listener of a codec that leaves out what lies between the two places.
    func header(at cursor: RingCursor, comingFrom other: RingCursor, of codec: Codec) -> PinnedBytes? {
        guard codec.isOgg, let pages, pages.isLinkBetween(other, cursor) else { return nil }
        return pages.header(at: cursor)
    }
}
