// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

/// The one way behind the joints of all connections: ``Resumption``, ``ForeignFilter``, ``ProgrammeFeed``, hub. Confined
/// to the loop's thread.
///
/// It tells sinks how what comes is joined to what was heard, and keeps account of an outage until then.
final class Trunk {
    /// Told of joints, gaps and stretches.
    var onNotice: ((StationNotice) -> Void)?
    /// Called when frames have gone on although nothing has arrived.
    var onRelease: (() -> Void)?

    private let hub: StreamHub
    private let reactor: any Reactor
    private let feed: ProgrammeFeed
    private let filter: ForeignFilter
    private let resumption: Resumption
    /// The present outage; nil unless audio is missing.
    private var outage: Outage?
    /// The address from which audio was heard last.
    private var heardAt: String?
    /// Whether two addresses of the station have sent equal frames. From then on, a frame that differs is a new one.
    private var haveOneEncoder = false

    init(_ hub: StreamHub, _ reactor: any Reactor) {
        (self.hub, self.reactor) = (hub, reactor)
        feed = ProgrammeFeed(hub: hub)
        filter = ForeignFilter(feed: feed, reactor: reactor)
        resumption = Resumption(feed: feed, filter: filter, reactor: reactor)
        feed.onMissing = { [weak self] in self?.note(missing: $0) }
        filter.onStretch = { [weak self] in self?.onNotice?(.stretch($0)) }
        resumption.onRelease = { [weak self] in
            self?.hub.flush()
            self?.onRelease?()
        }
    }

    /// The end of what was heard.
    var bookmark: ProgrammeFeed.Bookmark { feed.bookmark }

    /// How much faster the station's clock is than ours, in parts per million, once known.
    var drift: Double? { feed.drift }

    /// Whether audio is missing just now.
    var isMissingAudio: Bool { outage != nil }

    /// Whether frames were delivered since this was asked last: what reaches the hub is no repetition.
    func takeNews() -> Bool { feed.takeNews() }

    /// Where the frames of a new connection to one of the addresses join what was heard.
    func makeJoint(_ mirror: String) -> Joint {
        let isMirror = heardAt.map { $0 != mirror } ?? false
        return Joint(after: feed.bookmark, isMirror: isMirror && !haveOneEncoder, taker: resumption)
    }
}

// MARK: - Joining

extension Trunk {
    /// The first connection has said what it is.
    func announce(_ info: StationInfo) {
        onNotice?(.connected(info))
        hub.announce(info)
    }

    /// Carries out what was decided of a connection's frames, and lets the kept ones through.
    func join(_ line: Line, _ decision: Joint.Decision) {
        let (now, wall) = reactor.readClocks()
        let isAgain = hub.hasAudio
        switch decision {
        case .first:
            if let format = line.joint.firstFormat { feed.begin(format) }
            if !isAgain { hub.mark(.firstJoin) }
            onNotice?(.live(again: isAgain))
        case .splice(let dropped, let unheard, let method):
            resumption.forget()
            filter.forget()
            let splice = feed.mark(dropped: dropped, unheard: unheard, method, wall)
            onNotice?(.spliced(splice))
        case .gap(let seam):
            if outage == nil { noteOutage(Self.elsewhere) }
            release()
            let bookmark = feed.bookmark
            if let format = line.joint.firstFormat { feed.begin(format) }
            // The outage is over before a sink hears of the gap: the sink may stop the station.
            if let outage = self.outage.take() {
                let gap = outage.gap(seam, until: now)
                feed.mark(gap, start: seam.start, isSettled: line.clock.isSettled, now, wall)
                onNotice?(.gap(gap))
            }
            filter.watch(for: bookmark, missing: seam.missing, from: now, wall)
        }
        outage = nil
        if let heardAt, heardAt != line.mirror, decision.provesOneEncoder { haveOneEncoder = true }
        heardAt = line.mirror
        line.joint.open()
    }

    /// A delivery of the first connection has gone through its joint.
    func arrived(_ now: MonotonicInstant) {
        resumption.arrived(now)
        filter.arrived(now)
    }

    /// Fits the air time to that delivery. The connection is to a live station.
    func fitAirTime(_ line: Line, _ now: MonotonicInstant, _ wall: WallInstant) {
        feed.arrived(line.clock, at: line.joint.passed - held, now, wall)
    }

    /// A silence on an open connection is looked into where it lasts for this long.
    func lookIntoSilences(of length: Duration) { resumption.usualSilence = length }

    /// How long the frames play that wait behind the joint.
    private var held: Duration { resumption.duration + filter.duration }

    /// Audio is missing, although its connection held.
    private func note(missing samples: Int64?) {
        let (now, wall) = reactor.readClocks()
        if let gap = feed.mark(missing: samples, now, wall) { onNotice?(.gap(gap)) }
    }

    /// The cause of a gap that no failure announced.
    private static let elsewhere = Failure(
        .dropped, "the new connection went on elsewhere in the programme", remedy: "nothing to do")
}

// MARK: - Outages

extension Trunk {
    /// Audio is missing, or an attempt to get it back has failed.
    func noteOutage(_ failure: Failure) {
        if outage != nil { outage?.note(failure) } else { outage = makeOutage(failure) }
    }

    /// The gap that there is just now, if any; `failure`: why audio is missing although no outage was noted.
    func gap(until now: MonotonicInstant, orAfter failure: Failure?) -> Gap? {
        (outage ?? failure.flatMap(makeOutage))?.gap(until: now)
    }

    /// An outage that begins where the delivered audio ends; nil where there is none to miss.
    private func makeOutage(_ failure: Failure) -> Outage? {
        guard hub.hasAudio, hub.info?.kind == .live else { return nil }
        return Outage(failure, edge: feed.edge, held: held, clocks: reactor.readClocks())
    }

    /// What was taken for a file is a station, and broke off there.
    func noteOutage(_ old: FileEvidence.Break) {
        if outage == nil {
            outage = Outage(old.failure, edge: old.at, held: .zero, clocks: reactor.readClocks())
        }
    }

    /// Lets the frames that wait behind the joint go on.
    func release() {
        resumption.release()
        filter.release()
    }

    /// The station is over.
    func end(_ failure: Failure?) {
        release()
        filter.end()
        // An outage at the end of the station is a gap, too.
        if let outage { hub.mark(.gap(outage.gap(until: reactor.readClocks().now))) }
        outage = nil
        hub.end(failure)
    }
}
