// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations

/// What listeners of a programme are sent: the station's own ring, or the pages made of its packets. Confined to the
/// loop's thread.
///
/// Also the titles, each with its place, how much audio there was so far, and whether it has fallen silent. A wire ends
/// with its programme, and where Ogg and the rest change. Its listeners stay on it then, and get the rest of it at
/// their own turns.
final class Wire {
    let titles: TitleBlocks
    /// How much audio has come since the wire began.
    private(set) var mediaTime = Duration.zero
    /// Knows whether the programme is away.
    private(set) var outage = OutageWatch()
    /// Where the programme goes on after a gap.
    private(set) var gaps = GapEdges()
    /// The same for the last break, after which a new connection has begun.
    private(set) var lastBreak: RingCursor?
    /// Nothing comes any more.
    private(set) var hasEnded = false
    /// How many listen.
    var listenerCount = 0

    private let hub: StreamHub
    /// Keeps the hub's ring as deep as the slowest listener needs it, also after the feed has left.
    private let claim: RingClaim?
    /// What packets of Ogg are made into.
    private var pages: OggPages?
    /// Frames that were in the ring before those of this wire.
    private let framesBefore: Int64
    private var silence = OutageComfort.unknown

    /// A wire for audio of `format`, which comes next. At least `depth` of it is kept. `serial` is any number, for the
    /// logical streams of Ogg. A wire that is not the first one begins without the audio of the wire before it.
    init(_ hub: StreamHub, _ format: StreamFormat, depth: Duration, serial: UInt32, isFirst: Bool) {
        self.hub = hub
        titles = TitleBlocks(of: hub)
        // Pages lie in a ring of their own.
        claim = format.container == .ogg ? nil : hub.claim(depth)
        if format.container == .ogg { pages = OggPages(depth: depth, serial: serial) }
        framesBefore = format.container == .ogg ? 0 : (isFirst ? hub.ring.start : hub.position).frames
        if let title = hub.title { pages?.setTitle(title.text) }
        begin(format)
    }

    var ring: Ring { pages?.ring ?? hub.ring }

    var format: StreamFormat? { ring.format }

    var isOgg: Bool { pages != nil }

    var hasAudio: Bool { !hasEnded && format != nil && ring.position.frames > framesBefore }

    func begin(_ format: StreamFormat) {
        silence = .unknown
        pages?.begin(format)
    }

    func add(_ title: StreamTitle) { pages?.setTitle(title.text) }

    func append(_ chunk: Chunk, _ now: MonotonicInstant) {
        mediaTime += chunk.duration
        pages?.append(chunk)
        outage.heard(now)
        silence = .unknown
    }

    /// What comes next comes on another connection, and nothing is missing.
    func splice() { outage.brokeOff() }

    /// What comes next comes after a gap, and on another connection where that is a break.
    func gap(isBreak: Bool) {
        pages?.breakOff()
        gaps.add(ring.liveEdge)
        guard isBreak else { return }
        outage.brokeOff()
        lastBreak = ring.liveEdge
    }

    /// Nothing comes any more.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        pages?.endLink()
    }

    /// Silence to follow what has come; nil where the format has none. Made when it is first needed.
    var comfort: Comfort? {
        if case .unknown = silence { silence = Comfort(after: ring).map { .silence($0) } ?? .none }
        if case .silence(let comfort) = silence { return comfort }
        return nil
    }

    /// How long ago the newest frame was at the station's edge; nil where that is not known.
    func age(_ wall: WallInstant) -> Duration? {
        hub.airTime.map { wall - $0.instant(ofSample: hub.position.samples) }
    }

    /// What a listener that begins at the cursor needs first; nil where that is nothing.
    func header(at cursor: RingCursor) -> PinnedBytes? { pages?.header(at: cursor) }

    /// What one needs that goes on there from another place on this wire.
    func header(at cursor: RingCursor, comingFrom other: RingCursor) -> PinnedBytes? {
        guard let pages, pages.isLinkBetween(other, cursor) else { return nil }
        return pages.header(at: cursor)
    }
}
