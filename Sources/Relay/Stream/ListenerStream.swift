// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations

/// The output stream of a programme, as it is sent to listeners: the station's own ring, or Ogg pages made from its
/// packets.
///
/// It also knows the places of titles, the duration of the audio so far, and whether the programme is unavailable. It
/// ends with its programme, or when the container changes to or from Ogg. Its listeners stay attached until each has
/// been sent the remaining audio on its own turn.
final class ListenerStream {
    let titles: TitleBlocks
    /// The duration of the audio since the output stream began.
    private(set) var mediaTime = Duration.zero
    /// Detects whether the programme is unavailable.
    private(set) var outage = OutageWatch()
    /// Where the programme resumes after its gaps.
    private(set) var gaps = GapEdges()
    /// Where the programme resumes after the last gap that ended its connection.
    private(set) var lastBreak: RingCursor?
    /// Whether the output stream has ended: no more audio follows.
    private(set) var hasEnded = false
    /// The number of attached listeners.
    var listenerCount = 0

    let hub: StreamHub
    /// Keeps the hub's ring deep enough for the slowest listener, even after the sink has left.
    private var claim: RingClaim?
    /// The pages made of Ogg packets; nil for other containers.
    private var pages: OggPages?
    /// The position in frames at which this output stream begins.
    private let framesBefore: Int64
    private var silence = OutageComfort.unknown

    /// Creates an output stream for audio of `format`, of which at least `depth` is kept. `serial`: any number, for the
    /// logical streams of Ogg. Unless `isFirst`, it begins after the audio of the previous output stream.
    init(_ hub: StreamHub, _ format: StreamFormat, depth: Duration, serial: UInt32, isFirst: Bool) {
        self.hub = hub
        titles = TitleBlocks(of: hub)
        // Ogg pages are kept in a ring of their own, so the hub's ring need not be kept deep for them.
        claim = format.container == .ogg ? nil : hub.claim(depth)
        if format.container == .ogg { pages = OggPages(depth: depth, serial: serial) }
        framesBefore = format.container == .ogg ? 0 : (isFirst ? hub.ring.start : hub.position).frames
        if let title = hub.title { pages?.setTitle(title.text) }
        outage.lumps = hub.info?.lumps
        begin(format)
    }

    /// How the programme delivers, if it does so in lumps.
    var lumps: AudioLumps? { outage.lumps }

    /// The programme delivers in another way than before; `depth` is how much audio is to be kept.
    func note(_ lumps: AudioLumps?, depth: Duration) {
        guard lumps != self.lumps else { return }
        outage.lumps = lumps
        if claim != nil { claim = hub.claim(depth) }
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

    /// Does not learn the next silence: the audio after it comes from another connection, but no audio is missing.
    func splice() { outage.brokeOff() }

    /// Begins behind a gap at the live edge. `isBreak`: whether the next audio comes from another connection.
    func gap(isBreak: Bool) {
        pages?.breakOff()
        gaps.add(ring.liveEdge)
        guard isBreak else { return }
        outage.brokeOff()
        lastBreak = ring.liveEdge
    }

    /// Ends the output stream: no more audio follows.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        pages?.endLink()
    }

    /// The bit rate of the last minute's audio in the ring, in kbit/s; nil if there is less than a second.
    var bitRate: Int? { bitsPerSecond.map { Int(($0 / 1000).rounded()) } }

    private var bitsPerSecond: Double? {
        let oldest = ring.joinPoint(behind: .seconds(60))
        let (bytes, time) = (ring.position.bytes - ring.position(of: oldest).bytes, ring.lag(of: oldest))
        guard time >= .seconds(1) else { return nil }
        return Double(bytes) * 8 / time.inSeconds
    }

    /// Silence to follow the audio so far; nil if the format has none. Made on first use.
    var comfort: Comfort? {
        if case .unknown = silence {
            silence = Comfort(after: ring, bitRate: bitsPerSecond ?? 0).map { .silence($0) } ?? .none
        }
        if case .silence(let comfort) = silence { return comfort }
        return nil
    }

    /// The time since the newest frame was at the station's live edge; nil if unknown.
    func age(_ wall: WallInstant) -> Duration? {
        hub.airTime.map { wall - $0.instant(ofSample: hub.position.samples) }
    }

    /// The bytes that must be sent first to a listener that begins at the cursor; nil if there are none.
    func header(at cursor: RingCursor) -> PinnedBytes? { pages?.header(at: cursor) }

    /// The bytes that must be sent first to a listener that moves to the cursor from another place in this output
    /// stream; nil if there are none.
    func header(at cursor: RingCursor, comingFrom other: RingCursor) -> PinnedBytes? {
        guard let pages, pages.isLinkBetween(other, cursor) else { return nil }
        return pages.header(at: cursor)
    }
}
