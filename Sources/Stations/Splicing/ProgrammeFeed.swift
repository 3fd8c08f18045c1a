// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The last step to the hub: takes what is decided to be delivered, remembers it, and fits its air time. Confined to
/// the loop's thread.
final class ProgrammeFeed {
    /// What a programme is found again by: its last frames, its clock, and the sample at which it ended.
    struct Bookmark {
        var memory: FrameMemory
        var edge: EdgeClock?
        var endSample: Int64
        /// When the last of it came, of what was taken for a file.
        var fileArrival: MonotonicInstant?
    }

    private let hub: StreamHub
    private var memory = FrameMemory()
    /// When frames were at the station's edge; nil until there was one.
    private var airClock: AirClock?
    /// Where the clock's first frame stands, in samples.
    private var clockStart: Int64 = 0
    private var fileArrival: MonotonicInstant?

    init(hub: StreamHub) {
        self.hub = hub
    }

    /// Where the next frame will stand.
    var position: Position { hub.position }

    /// The end of what was delivered.
    var bookmark: Bookmark {
        Bookmark(memory: memory, edge: airClock?.edge, endSample: hub.position.samples, fileArrival: fileArrival)
    }

    /// How much faster the station's clock is than ours, in parts per million, once known.
    var drift: Double? { airClock?.edge.drift }

    /// When the next frame is on air, as far as is known.
    var edge: WallInstant? { hub.airTime?.instant(ofSample: hub.position.samples) }
}

extension ProgrammeFeed.Bookmark {
    /// When the end was at the station's edge.
    var tail: MonotonicInstant? { edge?.instant(ofSample: endSample) ?? fileArrival }
}

// MARK: - Parts

extension ProgrammeFeed: StreamPartTaker {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        switch part {
        case .format(let format): begin(format)
        case .title(let text, let raw): hub.setTitle(text, raw: raw)
        case .resync: hub.mark(.resync)
        case .frame(let facts):
            hub.append(bytes, samples: facts.samples, backReference: facts.backReference)
            if let mark = facts.mark { memory.append(mark) }
        }
    }

    func begin(_ format: StreamFormat) {
        guard format != hub.ring.format else { return }
        // The station's clock goes on, in another count.
        let edge = airClock?.edge.rebased(hub.position.samples, to: 0, sampleRate: format.sampleRate)
        airClock = edge.map { AirClock($0) }
        clockStart = 0
        hub.begin(format)
    }
}

// MARK: - Time

extension ProgrammeFeed {
    /// What was delivered is a file's, as far as is known: it has no air time.
    func arrivedAsFile(_ now: MonotonicInstant) { fileArrival = now }

    /// What was delivered has arrived: fits the air time.
    func arrived(_ now: MonotonicInstant, _ wall: WallInstant) {
        guard let format = hub.ring.format, hub.position.samples > clockStart else { return }
        var clock = airClock ?? AirClock(sampleRate: format.sampleRate)
        let isNews = clock.arrived(from: clockStart, upTo: hub.position.samples, now: now, wall: wall)
        airClock = clock
        if isNews, let airTime = clock.airTime { hub.setAirTime(airTime) }
    }

    /// Air time of the frames from here on follows a clock that knows when its sample `sample` was at the edge: that
    /// is the next frame.
    private func follow(_ edge: EdgeClock, from sample: Int64, _ now: MonotonicInstant, _ wall: WallInstant) {
        guard let format = hub.ring.format else { return }
        var edge = edge.rebased(sample, to: hub.position.samples, sampleRate: format.sampleRate)
        if let old = airClock?.edge { edge.adoptMeter(of: old) }
        var clock = AirClock(edge)
        _ = clock.refit(now: now, wall: wall)
        airClock = clock
        clockStart = hub.position.samples
        if let airTime = clock.airTime { hub.setAirTime(airTime) }
    }
}

// MARK: - Joints

extension ProgrammeFeed {
    /// The next frame follows a gap. `edge` knows when that frame, its sample `sample`, was at the edge.
    func mark(_ gap: Gap, edge: EdgeClock, sample: Int64, _ now: MonotonicInstant, _ wall: WallInstant) {
        hub.mark(.gap(gap))
        follow(edge, from: sample, now, wall)
    }

    /// The next frame came on a new connection, and follows all the same.
    func mark(dropped: Int, _ method: Splice.Method, _ wall: WallInstant) -> Splice {
        let splice = Splice(position: hub.position, at: edge ?? wall, droppedFrames: Int64(dropped), method: method)
        hub.mark(splice)
        airClock?.reconnected()
        return splice
    }

    /// The programme goes on with the next frame where it ended at the bookmark; what came in between is none of it.
    func goOn(from bookmark: Bookmark, after span: ForeignSpan, _ now: MonotonicInstant, _ wall: WallInstant) {
        memory = bookmark.memory
        hub.mark(span)
        hub.mark(.resync)
        if let edge = bookmark.edge { follow(edge, from: bookmark.endSample, now, wall) }
        // It comes later now by as long as the span was.
        airClock?.reconnected()
    }
}
