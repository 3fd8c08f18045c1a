// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Decides what to load of a station in HLS, and in which order its segments become the programme. A value: events in,
/// actions out, no I/O, no clock.
///
/// The shell reports each event, then carries out actions until ``next(_:)`` has none, and calls again at
/// ``wakeUp(after:)``. Segments come out in the order of their numbers. While one is missing, later ones are held, and
/// it is asked for again until it is not available any more. Unless all sinks are patient (``isPatient``), later ones
/// go on without it after two target durations. It is still asked for, because recordings may get it (``HLSSearch``).
package struct HLSMachine: Sendable {
    package enum Action: Hashable, Sendable {
        case load(ListOrigin)
        case fetch(HLSSegmentID, ListedSegment)
        /// Segments of another lineage follow.
        case begin
        /// Deliver a segment. It was fetched.
        case deliver(Delivery)
        /// The segment is left out: it could not be fetched, or the station left it out (`failure` is nil).
        case leaveOut(HLSSegmentID, ListedSegment, Failure?)
        /// A segment that was left out has been fetched.
        case found(HLSSegmentID, ListedSegment)
        /// No news has come for so long that the station counts as away.
        case outage(Failure)
        /// The programme is over.
        case stop(Failure?)
    }

    /// From where to load the list.
    package enum ListOrigin: Hashable, Sendable {
        /// From where it came last.
        case known
        /// From where the configured address leads now.
        case configured
        /// From the next of the configured addresses: this one does not play.
        case next
    }

    /// A segment in its order.
    package struct Delivery: Hashable, Sendable {
        package var id: HLSSegmentID
        package var segment: ListedSegment
        /// When it was on air, by its date.
        package var date: SegmentDate?
        /// When its end was at the station's edge, at the latest.
        package var due: MonotonicInstant
        /// Whether no newer segment is listed.
        package var isNewest: Bool
    }

    /// Where in the first list to begin.
    package enum Start: Hashable, Sendable {
        /// Three target durations before the end, as players do (RFC 8216 §6.3.3).
        case edge
        /// With what was on air at a time, or else with the oldest segment. Without dates, the times of the listings
        /// count.
        case at(WallInstant, MonotonicInstant)
    }

    /// Whether all who receive the audio rather wait for a missing segment than go on without it.
    package var isPatient = false
    package var start = Start.edge
    package private(set) var lastFailure: Failure?
    /// The target duration of the list that was taken last.
    package private(set) var targetDuration = Duration.zero
    private var window = HLSWindow()
    private var lineage = 0
    private var reload: HLSReload
    private var giveUp: GiveUp
    private let name: String
    /// Actions that wait, before all others.
    private var queue: [Action] = []
    private var carriedOut = 0
    private var requests = HLSRequests()
    private var search = HLSSearch()
    private var heldBytes = 0
    /// Since when a segment has been awaited, the next one or one that was left out before it.
    private var awaitedSince: MonotonicInstant?
    /// When a list of another lineage was first seen, since the last one of this.
    private var otherSince: MonotonicInstant?
    /// Whether the list says that it is complete, and whether it did so at the beginning.
    private var isOver = false
    private var wasOver = false
    /// Whether the addresses of a complete list are refused, so that new ones are needed.
    private var isRefused = false
    /// Whether an outage has been told, and no audio has come since.
    package private(set) var isAway = false
    private var hasAudio = false
    /// How many lists in a row have led to content that cannot be read, and whether the newest list is counted already.
    private var refusals = (count: 0, isCounted: false)
    private let mirrors: Int

    /// A request for the next segment that takes longer, and longer than the segment, may hang.
    private static let slowRequest = Duration.seconds(1)
    private static let (longestWait, longestSilence) = (Duration.seconds(120), Duration.seconds(12))
    private static let mostHeld = 16 << 20
    /// So many segments are looked at, and held at most while one is missing.
    private static let mostAhead = 256
    private static let tryDelays: [Duration] = [.zero, .milliseconds(500), .seconds(1)]
    private static let slowTry = Duration.seconds(2)

    /// `mirrors`: the number of configured addresses.
    package init(name: String, mirrors: Int = 1, giveUp: Duration?, seed: UInt64) {
        (self.name, self.mirrors) = (name, mirrors)
        self.giveUp = GiveUp(after: giveUp)
        reload = HLSReload(seed: seed)
    }
}

// MARK: - Lists

extension HLSMachine {
    package mutating func begin(_ now: MonotonicInstant) {
        giveUp.begin(now)
        reload.restart(now)
    }

    /// A list has come. The request for it was sent at `began`. Returns whether its address is to be kept: it is no
    /// older than what is known.
    package mutating func loaded(_ list: MediaPlaylist, began: MonotonicInstant, _ now: MonotonicInstant) -> Bool {
        refusals.isCounted = false
        // A packager that starts lists nothing yet, which says nothing of its numbers.
        let (isWhole, isQuiet) = (isComplete, reload.quiet(now) >= reload.target * 3 / 2)
        let relation =
            window.entries.isEmpty || list.segments.isEmpty
            ? nil : window.relation(list, isQuiet: isQuiet, isWhole: isWhole)
        var hasNews = false
        switch relation {
        case nil:
            guard !list.segments.isEmpty else { break }
            hasNews = window.take(list, now)
            window.begin(at: place(in: list, now))
            (wasOver, otherSince) = (list.isEnded, nil)
            queue.append(.begin)
        case .continues:
            otherSince = nil
            hasNews = window.take(list, now, isWhole: isWhole)
        case .other(let isNewer):
            let since = otherSince ?? now
            otherSince = since
            guard !isWhole, isNewer || isAway(now) || now - since >= reload.target / 2 else { break }
            change(to: list, now)
            hasNews = true
        }
        if otherSince == nil, !isWhole {
            isOver = list.isEnded
            targetDuration = list.targetDuration
        }
        isRefused = false
        reload.loaded(
            began: began, hasNews: hasNews, target: list.targetDuration,
            span: list.segments.reduce(.zero) { $0 + $1.duration }, isOver: isOver, now)
        noteAway(now)
        return hasNews || relation == .continues(isBehind: false)
    }

    /// The list is as it was.
    package mutating func unchanged(began: MonotonicInstant, _ now: MonotonicInstant) {
        isRefused = false
        reload.loaded(
            began: began, hasNews: false, target: reload.target, span: window.longestList, isOver: isOver, now)
        noteAway(now)
    }

    package mutating func loadFailed(_ failure: Failure, _ now: MonotonicInstant) {
        refusals.isCounted = false
        reload.failed(isGone: failure.failureClass.isOfAddress, hold: Backoff.hold(after: failure), now)
        unreadable(failure, now)
        noteAway(now)
    }

    /// Tries at once what failed, because its cause may be gone.
    package mutating func retry(_ now: MonotonicInstant) {
        if isAway || lastFailure != nil { reload.restart(now) }
    }

    /// Where to begin in the first list.
    private func place(in list: MediaPlaylist, _ now: MonotonicInstant) -> Int {
        guard !list.isEnded else { return 0 }
        let edge = edge(of: list)
        guard case .at(let instant, let due) = start else { return edge }
        let onAir = window.entries.lastIndex { entry in
            entry.date.map { $0 <= instant } ?? (entry.due - entry.segment.duration <= due)
        }
        return min(onAir ?? 0, edge)
    }

    private func edge(of list: MediaPlaylist) -> Int {
        var left = Duration.zero
        for (index, entry) in window.entries.enumerated().reversed() {
            left += entry.segment.duration
            if left >= list.targetDuration * 3 { return index }
        }
        return 0
    }

    /// Begins a lineage with a list whose numbers are not those of the lists before.
    private mutating func change(to list: MediaPlaylist, _ now: MonotonicInstant) {
        deliverHeld()
        while let entry = window.next { leaveOut(entry) }
        let tail = window.entries.last { $0.progress == .over } ?? window.entries.first
        lineage += 1
        requests.restart()
        (window, otherSince) = (HLSWindow(), nil)
        _ = window.take(list, now)
        window.begin(at: place(of: tail?.date, tail?.due, now))
        queue.append(.begin)
        awaitedSince = now
    }

    /// The segment with which to compare what was delivered: the one that was on air at its end, or long enough before
    /// if the dates do not tell.
    private func place(of date: WallInstant?, _ due: MonotonicInstant?, _ now: MonotonicInstant) -> Int {
        if let date, let index = window.entries.lastIndex(where: { $0.date.map { $0 <= date } ?? false }) {
            return max(0, index - 1)
        }
        guard let due else { return 0 }
        return window.entries.lastIndex { $0.due <= due - Splicer.latest } ?? 0
    }

    /// Whether there has been no news, or all requests for segments have failed, for so long that other addresses may
    /// help. Before any audio, a failure is enough.
    private func isAway(_ now: MonotonicInstant) -> Bool {
        guard hasAudio else { return lastFailure != nil }
        return !isComplete && reload.isAway(now) || requests.failingSince.map { now - $0 >= reload.target * 3 } ?? false
    }

    private mutating func noteAway(_ now: MonotonicInstant) {
        guard !isAway, hasAudio, isAway(now) else { return }
        isAway = true
        queue.append(.outage(lastFailure ?? stuck))
    }

    private var stuck: Failure {
        Failure(
            .noAudio, isOver ? "\(name) says that it is over" : "\(name) lists nothing new",
            remedy: "nothing to do: Aircheck goes on asking")
    }
}

// MARK: - Segments

extension HLSMachine {
    /// A segment has been fetched, with its key and all that its frames need. Returns whether it will be delivered or
    /// found, and must be kept until then.
    package mutating func fetched(_ id: HLSSegmentID, bytes: Int) -> Bool {
        requests.succeeded(id)
        if let entry = search.end(id) {
            queue.append(.found(id, entry.segment))
            return true
        }
        guard id.lineage == lineage, let index = window.index(of: id.number),
            window.entries[index].progress == .wanted
        else { return false }
        window.update(id.number) { $0.progress = .held(bytes) }
        heldBytes += bytes
        return true
    }

    package mutating func fetchFailed(_ id: HLSSegmentID, _ failure: Failure, _ now: MonotonicInstant) {
        requests.failed(id, now)
        let hold = Backoff.hold(after: failure) ?? .zero
        guard !search.failed(id, hold: hold, now), id.lineage == lineage else { return }
        window.update(id.number) { entry in
            let delay = entry.tries <= Self.tryDelays.count ? Self.tryDelays[entry.tries - 1] : Self.slowTry
            (entry.failure, entry.nextTry) = (failure, now + max(delay, hold))
        }
        unreadable(failure, now)
        noteAway(now)
        let tries = window.index(of: id.number).map { window.entries[$0].tries } ?? 0
        let isRefusal = failure.failureClass.isOfAddress
        if isComplete {
            isRefused = isRefused || isRefusal && requests.failures > 1
        } else if isRefusal || tries > 1 {
            // Another edge may have it.
            reload.wantFresh(now)
        }
    }

    /// Audio of a segment has reached the sinks.
    package mutating func heard(_ now: MonotonicInstant) {
        (hasAudio, isAway, lastFailure) = (true, false, nil)
        resumed(now)
    }

    /// Begins to wait for audio anew: the shell has not carried out actions for a while, because sinks had enough.
    package mutating func resumed(_ now: MonotonicInstant) {
        // Between two segments nothing is heard.
        giveUp.begin(now + max(.zero, targetDuration * 3 - (giveUp.time ?? .zero)))
    }

    /// A segment could not be had, or not be read. If none can ever be read from any configured address, the station is
    /// given up.
    package mutating func unreadable(_ failure: Failure, _ now: MonotonicInstant) {
        lastFailure = failure
        guard !hasAudio, failure.failureClass.isFinal || failure.failureClass.isOfContent, !refusals.isCounted
        else { return }
        refusals = (refusals.count + 1, true)
        if refusals.count < mirrors { reload.restart(now) } else { queue.append(.stop(failure)) }
    }

    private static func slow(_ segment: ListedSegment) -> Failure {
        Failure(
            .timeout, "\(AddressText(segment.url).redacted) took too long",
            remedy: "nothing to do: Aircheck asks for it again, for recordings")
    }

    private mutating func deliver(_ entry: HLSWindow.Entry) -> Action {
        if case .held(let bytes) = entry.progress { heldBytes -= bytes }
        window.pass(.over)
        return .deliver(
            Delivery(
                id: HLSSegmentID(lineage: lineage, number: entry.number), segment: entry.segment, date: entry.dating,
                due: entry.due, isNewest: window.next == nil))
    }

    /// Delivers what is held, without what is missing between: the programme ends for a sink.
    package mutating func deliverHeld() {
        let last = coming.last { if case .held = $0.progress { true } else { false } }
        while let entry = window.next, let last, entry.number <= last.number {
            if case .held = entry.progress { queue.append(deliver(entry)) } else { leaveOut(entry) }
        }
    }

    /// A segment was delivered and could not be read. It may have come damaged.
    package mutating func searchAgain(_ id: HLSSegmentID, _ now: MonotonicInstant) {
        guard id.lineage == lineage, let index = window.index(of: id.number) else { return }
        search.add(id, window.entries[index], from: now)
    }

    /// Whether segments that were left out are still asked for.
    package var isSearching: Bool { !search.isEmpty }

    /// Ends the search for segments that were left out: no gap is open any more.
    package mutating func endSearch() { search.endAll(besides: requests) }

    private mutating func leaveOut(_ entry: HLSWindow.Entry) {
        window.pass(.givenUp)
        let id = HLSSegmentID(lineage: lineage, number: entry.number)
        queue.append(
            .leaveOut(id, entry.segment, entry.segment.isGap ? nil : entry.failure ?? Self.slow(entry.segment)))
        guard !entry.segment.isGap else { return }
        requests.leaveOut(id)
        search.add(id, entry)
    }
}

// MARK: - Actions

extension HLSMachine {
    /// The next thing to do; nil if there is nothing until an event, or until ``wakeUp(after:)``.
    package mutating func next(_ now: MonotonicInstant) -> Action? {
        if carriedOut == queue.count {
            (queue, carriedOut) = ([], 0)
            look(now)
        }
        if carriedOut < queue.count {
            defer { carriedOut += 1 }
            return queue[carriedOut]
        }
        if let due = reload.due, due <= now, !isComplete || isRefused {
            defer { reload.begin() }
            return .load(reload.isFresh ? isAway(now) ? .next : .configured : .known)
        }
        return fetch(now)
    }

    /// A live station that was heard is never given up, however long its outage.
    private var giveUpDeadline: MonotonicInstant? { hasAudio && !wasOver ? nil : giveUp.deadline }

    /// Decides on the next segment in order.
    private mutating func look(_ now: MonotonicInstant) {
        if let deadline = giveUpDeadline, now >= deadline { return queue.append(.stop(lastFailure ?? stuck)) }
        guard let entry = window.next else {
            if isComplete { queue.append(.stop(hasAudio ? nil : lastFailure ?? stuck)) }
            return awaitedSince = nil
        }
        awaitedSince = awaitedSince ?? now
        if case .held = entry.progress {
            awaitedSince = nil
            return queue.append(deliver(entry))
        }
        if entry.segment.isGap || window.isOverfull || isLeftOut(entry, now) { leaveOut(entry) }
    }

    /// Whether what follows a missing segment is delivered without it.
    private func isLeftOut(_ entry: HLSWindow.Entry, _ now: MonotonicInstant) -> Bool {
        guard let until = awaitedUntil(entry), hasLater else { return false }
        return now >= until || heldBytes >= Self.mostHeld
    }

    /// Whether the programme was complete from the beginning, so that nothing is added to its list or taken from it.
    /// The list is loaded again only for new addresses.
    package var isComplete: Bool { wasOver && isOver }

    /// The entries that come next.
    private var coming: ArraySlice<HLSWindow.Entry> { window.entries[window.cursor...].prefix(Self.mostAhead) }

    /// Whether a later segment is at hand, or none will be.
    private var hasLater: Bool {
        isComplete || coming.contains { if case .held = $0.progress { true } else { false } }
    }

    private func awaitedUntil(_ entry: HLSWindow.Entry) -> MonotonicInstant? {
        // What is left out of a live station before any audio is no loss.
        let isPatient = isPatient && (hasAudio || isComplete)
        let patience = isPatient ? Self.longestWait : min(Self.longestSilence, targetDuration * 2)
        guard let since = awaitedSince else { return nil }
        // Some lists state no lengths, or wrong ones.
        let least = since + min(patience, targetDuration)
        return isComplete ? since + patience : max(least, min(since + patience, window.availableUntil(entry)))
    }

    /// Whether a complete list will soon be loaded for new addresses. If that takes long, the known ones may help
    /// again.
    private func awaitsAddresses(_ now: MonotonicInstant) -> Bool {
        isComplete && isRefused && reload.due.map { $0 <= now + reload.target * 2 } ?? true
    }

    private mutating func fetch(_ now: MonotonicInstant) -> Action? {
        guard !awaitsAddresses(now) else { return nil }
        search.endOld(besides: requests, now)
        guard requests.pause.map({ $0 <= now }) ?? true else { return nil }
        if let (entry, due) = hanging, due <= now { return fetch(entry, now) }
        guard requests.mayFetch else { return nil }
        // The one that has been due for longest, so that those that are gone for good delay no other.
        if let entry = fetchable.filter({ $0.nextTry <= now }).min(by: { $0.nextTry < $1.nextTry }) {
            return fetch(entry, now)
        }
        guard let (id, entry) = search.next(besides: requests), entry.nextTry <= now else { return nil }
        search.noteTry(id)
        return fetch(id, entry, isSearch: true, now)
    }

    /// The entries that may be fetched, as soon as they are due. If enough is held, only the next one.
    private var fetchable: [HLSWindow.Entry] {
        coming.prefix(heldBytes < Self.mostHeld ? Self.mostAhead : 1).filter {
            $0.progress == .wanted && !$0.segment.isGap
                && !requests.isUnderWay(HLSSegmentID(lineage: lineage, number: $0.number))
        }
    }

    private mutating func fetch(_ entry: HLSWindow.Entry, _ now: MonotonicInstant) -> Action {
        window.update(entry.number) { $0.tries += 1 }
        return fetch(HLSSegmentID(lineage: lineage, number: entry.number), entry, isSearch: false, now)
    }

    private mutating func fetch(
        _ id: HLSSegmentID, _ entry: HLSWindow.Entry, isSearch: Bool, _ now: MonotonicInstant
    ) -> Action {
        requests.begin(id, isSearch: isSearch, now)
        var segment = entry.segment
        // Every other request asks another edge.
        if entry.tries % 2 == 1, let other = entry.others.last { segment = other }
        return .fetch(id, segment)
    }

    /// The next segment, if only one request for it is under way, and when a second one is due beside that.
    private var hanging: (entry: HLSWindow.Entry, due: MonotonicInstant)? {
        guard let entry = window.next, entry.progress == .wanted,
            let began = requests.onlyRequest(for: HLSSegmentID(lineage: lineage, number: entry.number))
        else { return nil }
        let usual = min(max(Self.slowRequest, entry.segment.duration), Self.longestSilence)
        return (entry, max(entry.nextTry, began + usual))
    }

    /// When to call ``next(_:)`` although no event has come.
    package func wakeUp(after now: MonotonicInstant) -> MonotonicInstant? {
        var times = [reload.due, giveUpDeadline, requests.pause].compactMap(\.self)
        if let entry = window.next, hasLater, let until = awaitedUntil(entry) { times.append(until) }
        if let hanging { times.append(hanging.due) }
        if requests.mayFetch { times += fetchable.map(\.nextTry) }
        if let entry = search.next(besides: requests)?.entry { times.append(entry.nextTry) }
        return times.filter { $0 > now }.min()
    }
}

extension HLSSegmentID: Comparable {
    package static func < (one: HLSSegmentID, other: HLSSegmentID) -> Bool {
        (one.lineage, one.number) < (other.lineage, other.number)
    }
}
