// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// A station in HLS: loads its list, fetches the segments that the list names, and delivers them in order.
///
/// Decisions are made in ``HLSMachine``. The stream takes the place of a ``LiveStream`` whose address turned out to
/// lead to a list of segments, and leaves it to one again if the address has something else.
final class HLSStream {
    private let run: StationRun
    private let context: HLSContext
    private let track: HLSTrack
    private let store = HLSStore()
    private var neighbours = HLSNeighbours()
    private var machine: HLSMachine
    /// The configured address that led to the list.
    private var mirror: Int
    /// The one whose audio was heard last.
    private var heardMirror: Int?
    /// How often all configured addresses were tried in vain.
    private var turns = 0
    private var place: HLSPlace?
    private var load: HLSLoad?
    /// The requests for segments: two for one that takes long.
    private var fetches: [HLSSegmentID: [HLSSegmentFetch]] = [:]
    /// The sizes of segments that may have been cut.
    private var doubtful: [HLSSegmentID: Int] = [:] {
        didSet { if doubtful.count > Self.mostDoubtful { doubtful = [:] } }
    }
    private var held: [HLSSegmentID: HLSSegmentFetch.Content] = [:]
    /// The list that came with the response in which the station turned out to be HLS.
    private var first: (body: [UInt8], head: ResponseHead)?
    private var facts: SegmentFacts?
    private var isOver = false
    private var isPaused = false
    private var isProceeding = false
    private var lastAudio: MonotonicInstant?
    private lazy var timer = run.reactor.makeTimer { [weak self] in self?.proceed() }

    private static let mostDoubtful = 100

    /// The response at a mirror, whose whole body has come, is a list.
    init(_ run: StationRun, _ body: [UInt8], _ head: ResponseHead, mirror: Int) {
        (self.run, self.mirror, first) = (run, mirror, (body, head))
        context = HLSContext(run: run)
        track = HLSTrack(run.trunk, run.reactor, run.faults)
        machine = HLSMachine(
            name: head.finalURL, mirrors: run.addresses.mirrors.count, giveUp: run.settings.giveUp,
            seed: run.settings.seed)
    }

    private var hub: StreamHub { run.trunk.hub }
}

// MARK: - Source

extension HLSStream: Source {
    func begin() {
        run.source = nil
        let clocks = run.reactor.readClocks()
        // A programme that came from elsewhere goes on where it was left.
        if let start = run.trunk.edge ?? run.trunk.programme?.earliestWanted {
            machine.start = .at(start, clocks.instant(of: start))
        }
        machine.begin(clocks.now)
        if let first = first.take() { prepareLoad(known: nil).take(first.body, first.head) } else { proceed() }
    }

    func stop() { close() }

    func collect(then done: @escaping () -> Void) {
        machine.deliverHeld()
        proceed()
        done()
    }

    var openGap: Gap? { run.trunk.gap(orAfter: machine.isAway ? machine.lastFailure : nil) }

    func networkChanged() {
        machine.retry(run.reactor.now)
        proceed()
    }

    func clockStepped() { networkChanged() }

    var canPause: Bool { hub.info?.kind == .finite }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        machine.resumed(run.reactor.now)
        proceed()
    }

    func describe(in snapshot: inout StationSnapshot) {
        let now = run.reactor.now
        snapshot.isDelivering = hub.hasAudio && !machine.isAway && !isOver
        snapshot.lastFailure = machine.lastFailure
        snapshot.skipped = run.faults.skippedBytes
        (snapshot.wrongChecksums, snapshot.damage) = (run.faults.wrongChecksums, run.faults.damage)
        snapshot.ring = StationSnapshot.RingFigures(hub.ring)
        snapshot.sinceAudio = lastAudio.map { max(.zero, now - $0) }
        snapshot.segments = facts
        snapshot.addresses = run.addresses.mirrors.count
        if !isOver, !snapshot.isDelivering {
            snapshot.activity =
                machine.isAway
                ? .waiting(max(.zero, (machine.wakeUp(after: now) ?? now) - now), after: machine.lastFailure)
                : .awaitingAudio
        }
    }

    private func close() {
        isOver = true
        timer.cancel()
        load?.cancel()
        fetches.values.joined().forEach { $0.cancel() }
        (load, fetches, held) = (nil, [:], [:])
    }
}

// MARK: - Actions of the machine

extension HLSStream {
    private func proceed() {
        guard !isProceeding, !isOver else { return }
        isProceeding = true
        machine.isPatient = hub.isPatient
        while !isOver, !isPaused, let action = machine.next(run.reactor.now) { carryOut(action) }
        isProceeding = false
        guard !isOver, !isPaused else { return }
        if machine.isSearching { run.trunk.noteSearch() }
        if let wakeUp = machine.wakeUp(after: run.reactor.now) { timer.arm(at: wakeUp) } else { timer.cancel() }
    }

    private func carryOut(_ action: HLSMachine.Action) {
        switch action {
        case .load(let origin): load(origin)
        case .fetch(let id, let segment): fetch(id, segment)
        case .begin: track.begin()
        case .deliver(let delivery): deliver(delivery)
        case .leaveOut(let id, let segment, let failure):
            track.leaveOut(segment, failure)
            if failure != nil { neighbours.leaveOut(id) }
        case .found(let id, let segment):
            guard let content = held.removeValue(forKey: id) else { break }
            let source = run.trunk.nextSource()
            for frames in neighbours.found(id, content.bytes, content.section, segment) {
                run.trunk.offer(frames, from: source)
            }
        case .outage(let failure):
            run.trunk.noteOutage(failure)
            run.tellFailure(failure)
        case .stop(let failure):
            close()
            run.trunk.end(failure)
        }
    }

    private func deliver(_ delivery: HLSMachine.Delivery) {
        guard let content = held.removeValue(forKey: delivery.id) else { return }
        var delivery = delivery
        delivery.segment = content.segment
        let wasSilent = !hub.hasAudio
        var isRead = true
        facts?.container = SegmentContainer(of: content.bytes, hasSection: content.section != nil)
        do throws(Failure) {
            try track.deliver(delivery, content.bytes, section: content.section)
            neighbours.deliver(delivery.id, content.bytes, content.section, delivery.segment)
        } catch {
            isRead = false
            machine.unreadable(error, run.reactor.now)
            track.leaveOut(delivery.segment, error)
            neighbours.leaveOut(delivery.id)
            if !error.failureClass.isOfContent { machine.searchAgain(delivery.id, run.reactor.now) }
            // It may be the section that cannot be read.
            if let map = delivery.segment.map { store.maps[map] = nil }
        }
        let now = run.reactor.now
        guard run.trunk.takeNewFrames() else { return }
        machine.heard(now)
        lastAudio = now
        run.trunk.endOutage()
        // What was left out before is told by now.
        if isRead, machine.isSearching, !run.trunk.hasOpenGaps { machine.endSearch() }
        if let bytes = run.faults.takeAttachments() { run.tell(.attachmentsLeftOut(bytes: bytes)) }
        if wasSilent { run.tell(.live(again: false)) }
        guard heardMirror != mirror else { return }
        heardMirror = mirror
        let before = run.addresses.choice
        run.addresses.plays(run.addresses.mirrors[mirror].url, name: nil, isMatch: false)
        run.tellChoice(unless: before)
    }
}

// MARK: - Lists

extension HLSStream {
    private func load(_ origin: HLSMachine.ListOrigin) {
        if origin == .next {
            let next = mirror + 1
            (mirror, turns) = (next % run.addresses.mirrors.count, turns + next / run.addresses.mirrors.count)
        }
        let chosen = origin == .next ? nil : place?.choice
        prepareLoad(known: origin == .known ? place : nil, chosen: chosen).start()
    }

    private func prepareLoad(known: HLSPlace?, chosen: VariantChoice? = nil) -> HLSLoad {
        load?.cancel()
        let load = HLSLoad(
            run.addresses.mirrors[mirror].url, known: known, chosen: chosen, turn: turns, context
        ) { [weak self] in
            self?.loaded($0)
        }
        self.load = load
        return load
    }

    private func loaded(_ outcome: HLSLoad.Outcome) {
        guard !isOver, let load = load.take() else { return }
        let now = run.reactor.now
        switch outcome {
        case .unchanged: machine.unchanged(began: load.began, now)
        case .failed(let failure): failed(failure, now)
        case .other(let failure, _):
            let mayLeave = place != nil && !machine.isComplete
            if mayLeave, hub.hasAudio || run.addresses.mirrors.count > 1 { return leave(failure, now) }
            failed(failure, now)
        case .list(let list, let place, let head):
            let isKept = machine.loaded(list, began: load.began, now)
            if isKept || self.place == nil {
                self.place = place
                track.take(list.dateRanges)
                facts = SegmentFacts(list, place, facts?.container)
            }
            announce(list, place, head)
        }
        proceed()
    }

    private func failed(_ failure: Failure, _ now: MonotonicInstant) {
        machine.loadFailed(failure, now)
        if !hub.hasAudio { run.tellFailure(failure) } else if machine.isAway { run.trunk.noteOutage(failure) }
    }

    private func announce(_ list: MediaPlaylist, _ place: HLSPlace, _ head: ResponseHead) {
        guard hub.info == nil || hub.info?.url != head.finalURL && machine.isAway else { return }
        var info = StationInfo(head, url: run.addresses.mirrors[mirror].url, settings: run.settings)
        info.kind = list.isEnded && run.settings.allowsFinite ? .finite : .live
        (info.length, info.metadataInterval, info.contentType) = (nil, nil, nil)
        info.lumps = info.kind == .live ? AudioLumps(of: list.targetDuration) : nil
        let rate = place.choice.map(\.variant).map { $0.averageBandwidth ?? $0.bandwidth } ?? 0
        info.declaredBitRate = rate > 0 ? rate / 1_000 : nil
        run.trunk.announce(info)
    }

    /// Leaves the programme to a live stream, because the address has no HLS any more.
    private func leave(_ failure: Failure, _ now: MonotonicInstant) {
        close()
        hub.setAdvert(nil)
        run.trunk.noteOutage(failure)
        if hub.hasAudio { _ = run.machine.frames(.first, now) }
        let stream = LiveStream(run)
        run.trunk.programme?.replaceSource(by: stream)
        run.perform(run.machine.ended(.first, failure, now))
    }
}

// MARK: - Segments

extension HLSStream {
    private func fetch(_ id: HLSSegmentID, _ segment: ListedSegment) {
        guard let place else { return }
        fetches[id, default: []].append(
            HLSSegmentFetch(
                segment, from: place, context, store,
                patience: .patience(forSegmentOf: segment.duration)
            ) { [weak self] in self?.fetched(id, segment, $0) })
    }

    private func fetched(
        _ id: HLSSegmentID, _ segment: ListedSegment, _ result: Result<HLSSegmentFetch.Content, Failure>
    ) {
        guard !isOver, fetches[id] != nil else { return }
        fetches[id]?.removeAll(where: \.isOver)
        if fetches[id]?.isEmpty == true { fetches[id] = nil }
        switch result {
        case .success(let content) where content.mayBeCut && content.bytes.count != doubtful[id]:
            // Only that it comes twice alike shows that it is whole.
            doubtful[id] = content.bytes.count
            machine.fetchFailed(id, .cutSegment(at: segment.url), run.reactor.now)
        case .success(let content):
            doubtful[id] = nil
            fetches.removeValue(forKey: id)?.forEach { $0.cancel() }
            if machine.fetched(id, bytes: content.bytes.count) { held[id] = content }
        case .failure(let failure):
            machine.fetchFailed(id, failure, run.reactor.now)
        }
        proceed()
    }
}
