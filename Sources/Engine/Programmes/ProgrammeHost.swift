// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// Runs a programme while any user claims it, and reports its events to all users.
///
/// Each run has a new programme. ``HostLife`` decides when it runs.
final class ProgrammeHost {
    /// Called with each notice that is worth a line in the log.
    var onNotice: ((StationNotice) -> Void)?
    /// The running programme; nil if there is none.
    private(set) var programme: Programme?

    /// Creates the programme for the next run. If an earlier run chose an entry of a list, this run continues with it.
    var make: (ListChoice?) throws(Failure) -> Made
    private var choice: ListChoice?
    private let reactor: any Reactor
    private var life = HostLife()
    private var members: [Member] = []
    private var hostSink: HostSink?
    private var closeMade: (() -> Void)?
    private var past = (reconnects: 0, hedges: 0)
    /// The notices about single items that have been passed on, without their figures.
    private var told: Set<StationNotice> = []
    private lazy var timer = reactor.makeTimer { [weak self] in self?.timerFired() }
    /// When the first audio of the current run arrived.
    private var firstAudioAt: MonotonicInstant?
    /// The time after its first audio at which the current run should end. Nil unless an end was requested before the
    /// first audio arrived.
    private var timeFromFirstAudio: Duration?
    private lazy var endTimer = reactor.makeTimer { [weak self] in self?.end() }

    /// A new programme, and an action to run when it has ended.
    struct Made {
        var programme: Programme
        var close: (() -> Void)?
    }

    private struct Member {
        let user: any ProgrammeUser
        var hasClaim = false
        /// Whether this user has been notified that the current run began.
        var hasBegun = false
    }

    /// After this many notices about items, no further ones are passed on.
    private static let mostTold = 200_000

    init(reactor: any Reactor, make: @escaping (ListChoice?) throws(Failure) -> Made) {
        self.reactor = reactor
        self.make = make
    }

    /// Whether the programme has been asked to end, and has not ended yet.
    var isStopping: Bool { life.state == .stopping }

    /// When the rest after a failure ends; nil without a failure.
    var restsUntil: MonotonicInstant? { life.restsUntil }

    var snapshot: ProgrammeSnapshot {
        let now = programme?.snapshot
        return ProgrammeSnapshot(
            station: now, reconnects: past.reconnects + (now?.reconnects ?? 0), hedges: past.hedges + (now?.hedges ?? 0)
        )
    }

    func networkChanged() { programme?.networkChanged() }

    func clockStepped() { programme?.clockStepped() }

    // MARK: - Users

    /// Adds a user, which receives the programme's events until it leaves. Calls `programmeBegan` if the programme is
    /// running.
    func join(_ user: any ProgrammeUser) {
        let running = life.state == .stopping ? nil : programme
        members.append(Member(user: user, hasBegun: running != nil))
        if let running { user.programmeBegan(running) }
    }

    /// Claims the programme for a user that has joined: it runs until every claim is released.
    func claim(_ user: any ProgrammeUser) {
        guard let index = index(of: user), !members[index].hasClaim else { return }
        members[index].hasClaim = true
        perform(life.claimed(reactor.now))
    }

    /// Releases the user's claim. The programme continues for at least `linger`.
    func release(_ user: any ProgrammeUser, linger: Duration = .zero) {
        guard let index = index(of: user), members[index].hasClaim else { return }
        members[index].hasClaim = false
        perform(life.released(linger: linger, isClaimed: members.contains(where: \.hasClaim), reactor.now))
    }

    /// Releases the user's claim, if it has one, and removes the user.
    func leave(_ user: any ProgrammeUser) {
        release(user)
        members.removeAll { $0.user === user }
    }

    /// Releases the user's claim and ends its sink. If other users still need the programme, only this sink receives an
    /// end; otherwise the programme itself ends.
    func end(for user: any ProgrammeUser, _ sink: any StreamSink) {
        release(user)
        if life.state != .stopping { programme?.leave(sink) }
    }

    /// Ends the programme for all users.
    func end() {
        for index in members.indices { members[index].hasClaim = false }
        perform(life.stop())
    }

    /// Ends the programme for all users `time` after `start`, or after its own first audio if `start` is nil. Does not
    /// affect later runs.
    func end(after time: Duration, since start: MonotonicInstant?) {
        guard programme != nil else { return }
        if let start = start ?? firstAudioAt { endTimer.arm(at: start + time) } else { timeFromFirstAudio = time }
    }

    private func audioBegan() {
        let now = reactor.now
        firstAudioAt = now
        if let time = timeFromFirstAudio.take() { endTimer.arm(at: now + time) }
    }

    private func index(of user: any ProgrammeUser) -> Int? {
        members.firstIndex { $0.user === user }
    }

    // MARK: - The programme

    private func perform(_ action: HostLife.Action) {
        switch action {
        case .none: break
        // Deferred: the user that makes the claim is in the middle of a call, and the programme may end at once.
        case .begin: reactor.defer { [weak self] in self?.begin() }
        case .stop:
            if let programme { programme.stop() } else { ended(nil) }
        }
        if let deadline = life.deadline { timer.arm(at: deadline) } else { timer.cancel() }
    }

    private func timerFired() { perform(life.tick(reactor.now)) }

    private func begin() {
        guard life.state == .running, programme == nil else { return }
        for index in members.indices { members[index].hasBegun = true }
        do throws(Failure) {
            let made = try make(choice)
            let programme = made.programme
            closeMade = made.close
            programme.onNotice = { [weak self] in self?.heard($0) }
            programme.requestFields = { [weak self] in self?.members.flatMap(\.user.requestFields) ?? [] }
            self.programme = programme
            // Both closures retain this object until the end.
            let sink = HostSink(onAudio: { [self] in audioBegan() }, onEnd: { [self] in ended($0) })
            hostSink = sink
            // Attached before the users' sinks, so that the host has handled the end before they receive it.
            programme.hub.attach(sink)
            for member in members { member.user.programmeBegan(programme) }
            programme.start()
        } catch {
            ended(error)
        }
    }

    private func heard(_ notice: StationNotice) {
        // An item is reported once, even if it is played again, or if the programme starts anew for each listener.
        let key: StationNotice? =
            switch notice {
            case .skipped(let item, _): .skipped(item: item, reason: "")
            case .mayBeIncomplete, .hasNothingToHeal: notice
            case .attachmentsLeftOut(_, let item?): .attachmentsLeftOut(bytes: 0, of: item)
            default: nil
            }
        if let key { guard told.count < Self.mostTold, told.insert(key).inserted else { return } }
        if case .chose(let new, _) = notice { choice = new }
        onNotice?(notice)
        for member in members { member.user.programmeSaid(notice) }
    }

    private func ended(_ failure: Failure?) {
        let old = programme
        let snapshot = snapshot
        past = (snapshot.reconnects, snapshot.hedges)
        programme = nil
        hostSink = nil
        (firstAudioAt, timeFromFirstAudio) = (nil, nil)
        closeMade?()
        closeMade = nil
        // The old programme is released later, because it is calling from inside its own end.
        reactor.defer { withExtendedLifetime(old) {} }
        let wasStopping = life.state == .stopping
        let action = life.ended(failure, wasHeard: old?.hub.hasAudio ?? false, reactor.now)
        // Users that joined while the programme was stopping have not been notified of this run, so they are not
        // notified of its end.
        let users = members.filter(\.hasBegun).map(\.user)
        for index in members.indices {
            members[index].hasBegun = false
            if !wasStopping { members[index].hasClaim = false }
        }
        endTimer.cancel()
        perform(action)
        for user in users { user.programmeEnded(failure) }
    }
}

/// Receives a programme's first audio and its end; ignores all else.
private final class HostSink: StreamSink {
    private var onAudio: (() -> Void)?
    private let onEnd: (Failure?) -> Void

    init(onAudio: @escaping () -> Void, onEnd: @escaping (Failure?) -> Void) {
        self.onAudio = onAudio
        self.onEnd = onEnd
    }

    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk: if let onAudio = onAudio.take() { onAudio() }
        case .ended(let failure): onEnd(failure)
        case .station, .format, .airTime, .discontinuity, .hole, .splice, .stretch, .found, .title: break
        }
    }
}
