// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// An independent check of a connection machine: tracks which connections are open and which actions are legal, but not
/// why the machine takes them.
struct MachineOracle {
    /// A connection that the shell has open.
    private struct Line {
        var attempt: ConnectionMachine.Attempt
        var leadsElsewhere = false
        var opened: MonotonicInstant
        var liveSince: MonotonicInstant?
        var lastProgress: MonotonicInstant
        var promoted: MonotonicInstant?
        var silentSince: MonotonicInstant { max(lastProgress, promoted ?? lastProgress) }
        var newAudio = Duration.zero
        var delivered: Duration { liveSince.map { lastProgress - $0 } ?? .zero }
        /// New audio that came as it aired.
        var progress: Duration { min(newAudio, delivered) }
    }

    private(set) var objections: [String] = []
    private var first: Line?
    private var hedge: Line?
    private var isStarted = false
    private var isStopped = false
    private var isPaused = false
    private var mayHedge = true
    private var mirrors: Int
    private let giveUp: Duration?
    private var holds: [Int: (until: MonotonicInstant, isCertificate: Bool)] = [:]
    private var attempts = 0
    private var hadAudio = false
    private var reconnects = 0
    private var hedges = 0
    /// Whether the machine waits for a mirror that has since been replaced.
    private var waitsForReplaced = false
    /// The mirror that alone may be tried.
    private var pinned: Int?
    /// How long a live connection may be silent, as learned from the station.
    private var stall = Self.limits.stall
    /// The time of the refusal for each mirror that refused a hedge beside a live connection.
    private var refusals: [Int: MonotonicInstant] = [:]
    /// Whether the first connection was a hedge.
    private var isPromoted = false
    /// How many live connections were abandoned for long silence since a connection last delivered steady audio.
    private var stalls = 0
    /// The number of connections opened in a row without a wait.
    private var atOnce = 0

    private static let limits = ConnectionMachine.Limits()
    /// The shortest hedge delay, the age at which an attempt may be hedged, and the longest step and stall.
    private static let shortestHedgeDelay = Duration.milliseconds(600)
    private static let slowTry = Duration.milliseconds(2_500)
    private static let longestStep = Duration.seconds(17)
    private static let longestStall = Duration.seconds(30)

    init(mirrors: Int, giveUp: Duration?) {
        self.mirrors = mirrors
        self.giveUp = giveUp
    }

    mutating func judge(
        _ event: MachineEvent, _ action: ConnectionMachine.Action, _ machine: ConnectionMachine, _ now: MonotonicInstant
    ) {
        let count = objections.count
        if isStopped {
            demand(action == .none, "something after the end")
        } else {
            let before = (first: first, hedge: hedge)
            note(event, now)
            judge(action, on: event, before.first, before.hedge, now)
            stall = machine.stall
            demand(stall >= Self.limits.stall && stall <= Self.longestStall, "is too patient, or not patient enough")
            compare(machine, now)
            if event.isTick { forgive(machine) }
        }
        if objections.count > count { objections.append("… on \(event) at \(now.nanoseconds): \(action)") }
    }

    private mutating func demand(_ condition: Bool, _ objection: @autoclosure () -> String) {
        if !condition { objections.append(objection()) }
    }
}

// MARK: - What has happened

extension MachineOracle {
    private mutating func note(_ event: MachineEvent, _ now: MonotonicInstant) {
        switch event {
        case .start: isStarted = true
        case .reached(_, let role): change(role) { $0.lastProgress = now }
        case .accepted(let role, let differs): change(role) { ($0.leadsElsewhere, $0.lastProgress) = (differs, now) }
        case .frames(let role):
            if role == .first, let first, first.liveSince == nil {
                heard()
                holds[first.attempt.mirror] = nil
            }
            change(role) {
                $0.liveSince = $0.liveSince ?? now
                $0.lastProgress = now
            }
            if role == .first, let first, first.delivered >= Self.limits.steadyAudio { stalls = 0 }
        case .paused(let isPaused):
            self.isPaused = isPaused
            change(.first) { $0.lastProgress = now }
        case .ended(let role, let failure): noteEnd(role, failure, now)
        case .follow(let role, let count): noteEntries(role, count)
        case .mayHedge(let may): mayHedge = may
        case .replaceMirrors(let old):
            waitsForReplaced = waitsForReplaced || isHeld
            mirrors = old.count
            pinned = nil
            refusals = [:]
            let kept = old.enumerated().compactMap { new, old in old.flatMap { holds[$0] }.map { (new, $0) } }
            holds = Dictionary(uniqueKeysWithValues: kept)
        case .networkChanged, .clockStepped:
            holds = holds.filter { !$0.value.isCertificate }
            atOnce = 0
        case .pin: pinned = first?.attempt.mirror
        case .unpin: pinned = nil
        case .goesOver(let role): change(role) { $0.lastProgress = now }
        case .heard(let audio): change(.first) { $0.newAudio += audio }
        case .matched, .recovered, .finished, .tick, .measured, .requestStop: break
        }
    }

    private mutating func change(_ role: ConnectionMachine.Role, _ change: (inout Line) -> Void) {
        if role == .first, var line = first {
            change(&line)
            first = line
        } else if role == .hedge, var line = hedge {
            change(&line)
            hedge = line
        }
    }

    /// Adopts the correction that a late tick made to the silence of the first connection.
    private mutating func forgive(_ machine: ConnectionMachine) {
        guard let since = machine.connection(.first)?.since else { return }
        change(.first) { line in
            let shift = max(.zero, since - line.lastProgress)
            line.lastProgress = line.lastProgress + shift
            line.liveSince = line.liveSince.map { $0 + shift }
            line.opened = line.opened + shift
        }
    }

    private mutating func heard() {
        if hadAudio { reconnects += 1 }
        hadAudio = true
    }

    private mutating func noteEnd(_ role: ConnectionMachine.Role, _ failure: Failure?, _ now: MonotonicInstant) {
        guard let line = role == .first ? first : hedge else { return }
        let isQuickReturn = line.attempt.viaLastFinalURL && line.liveSince == nil
        // The server may accept one connection although it refuses two, so its refusal of a hedge does not block the
        // mirror.
        let isOwnMirror =
            role == .hedge && line.attempt.mirror == first?.attempt.mirror && first?.liveSince != nil
        // The first connection had been live, and a hedge is already open, so no new attempt is made.
        let isReplaced = role == .first && hedge != nil && line.liveSince != nil
        if let hold = Backoff.hold(after: failure), !isQuickReturn, !isOwnMirror, !isReplaced {
            holds[line.attempt.mirror] = (now + hold, failure?.failureClass == .certificate)
        }
        if role == .hedge, line.liveSince == nil, !isQuickReturn, first?.liveSince != nil,
            failure.map({ $0.failureClass.isRefusal }) ?? true
        {
            refusals[line.attempt.mirror] = now
        }
        // Only audio that progresses earns another try at once.
        if first?.progress ?? .zero >= .milliseconds(500) { atOnce = 0 }
        if role == .first { first = nil } else { hedge = nil }
    }

    /// A refusal is forgotten once another mirror's connection is left that brought no new audio, or new audio for less
    /// than half of its time.
    private mutating func noteLeft(_ line: Line?, _ now: MonotonicInstant) {
        guard let line, line.liveSince != nil else { return }
        guard line.newAudio < .milliseconds(500) || line.newAudio * 2 < now - line.opened else { return }
        refusals = refusals.filter { $0.key == line.attempt.mirror }
    }

    private mutating func noteEntries(_ role: ConnectionMachine.Role, _ count: Int) {
        guard let line = role == .first ? first : hedge else { return }
        let mirror = line.attempt.mirror
        let added = count - mirrors
        mirrors = count
        pinned = nil
        holds[mirror] = nil
        holds = Dictionary(uniqueKeysWithValues: holds.map { ($0.key > mirror ? $0.key + added : $0.key, $0.value) })
        refusals = [:]
        atOnce = 0
        if role == .first {
            first = nil
        } else {
            hedge = nil
            if let own = first?.attempt.mirror, own > mirror { first?.attempt.mirror += added }
        }
    }
}

// MARK: - What is done

extension MachineOracle {
    private mutating func judge(
        _ action: ConnectionMachine.Action, on event: MachineEvent, _ oldFirst: Line?, _ oldHedge: Line?,
        _ now: MonotonicInstant
    ) {
        switch action {
        case .connect, .promote, .wait: noteLeft(oldFirst, now)
        case .none, .openHedge, .closeHedge, .stop: break
        }
        switch action {
        case .none: judgeNone(event, oldFirst, oldHedge)
        case .connect(let attempt):
            judgeConnect(event, oldFirst, oldHedge, now)
            open(attempt, oldFirst, now)
            atOnce += 1
            demand(atOnce <= mirrors + 3, "hammers")
            (first, hedge) = (Line(attempt: attempt, opened: now, lastProgress: now), nil)
            isPromoted = false
        case .openHedge(let attempt):
            judgeHedge(attempt, event, oldHedge, now)
            open(attempt, first, now)
            hedges += 1
            hedge = Line(attempt: attempt, opened: now, lastProgress: now)
        case .closeHedge:
            judgeClose(event, oldFirst, oldHedge, now)
            hedge = nil
        case .promote(let attempt):
            demand(oldHedge?.attempt == attempt, "promotes what is no hedge")
            let isSilent = event.isTick && (first.map { now - $0.lastProgress >= Self.limits.stall } ?? false)
            let isOver = if case .ended(.first, _) = event { true } else { false }
            let isBack = event == .frames(.hedge) && oldFirst?.liveSince == nil
            // If connections fall silent again and again, the machine no longer waits for them.
            let isHopeless = event.isTick && stalls >= 2 && hedge?.liveSince != nil
            demand(event == .matched || isOver || isSilent || isBack || isHopeless, "promotes without a reason")
            isPromoted = true
            if isSilent { stalls += 1 }
            if hedge?.liveSince != nil {
                heard()
                holds[attempt.mirror] = nil
            }
            (first, hedge) = (hedge, nil)
            first?.promoted = now
            atOnce = 0
        case .wait:
            demand(oldFirst != nil, "waits twice")
            (first, hedge) = (nil, nil)
            atOnce = 0
        case .stop(let reason):
            judgeStop(reason, event, oldFirst)
            (first, hedge, isStopped) = (nil, nil, true)
        }
    }

    private mutating func judgeNone(_ event: MachineEvent, _ oldFirst: Line?, _ oldHedge: Line?) {
        switch event {
        case .ended(let role, _), .follow(let role, _):
            demand((role == .first ? oldFirst : oldHedge) == nil, "does nothing about an end")
        case .frames(.hedge):
            demand(oldHedge == nil || oldFirst?.liveSince != nil, "waits for one connection where another brings audio")
        case .recovered: demand(oldHedge == nil || oldFirst?.liveSince == nil, "keeps a hedge that it needs no more")
        case .matched: demand(oldHedge == nil, "keeps a stalled connection in spite of a match")
        case .start, .requestStop: demand(false, "does not obey")
        default: break
        }
    }

    private mutating func judgeConnect(
        _ event: MachineEvent, _ oldFirst: Line?, _ oldHedge: Line?, _ now: MonotonicInstant
    ) {
        switch event {
        case .start: demand(oldFirst == nil, "starts twice")
        case .ended(.first, _): demand(oldHedge == nil, "connects where a hedge is at hand")
        case .ended(.hedge, _):
            demand(oldFirst?.liveSince != nil, "leaves a connection that may yet answer")
            demand(oldFirst.map { isOverdue($0, now) } ?? false, "leaves a live connection before its time")
            atOnce = 0
        case .follow(let role, _): demand(role == .first, "leaves a connection for an entry")
        case .networkChanged, .clockStepped: demand(oldFirst == nil, "connects beside a connection")
        case .tick:
            // A hanging connection is abandoned. If there is a hedge, the hedge is the one that hangs, and the first
            // connection is overdue.
            if oldHedge != nil {
                demand(oldFirst.map { isOverdue($0, now) } ?? false, "leaves a connection before its time")
            }
            let hanging = oldHedge ?? oldFirst
            demand(hanging.map { now - $0.lastProgress >= Self.limits.stall } ?? true, "connects too soon")
            if (oldFirst ?? hanging)?.liveSince != nil { atOnce = 0 }
        default: demand(false, "connects without a reason")
        }
    }

    private mutating func judgeHedge(
        _ attempt: ConnectionMachine.Attempt, _ event: MachineEvent, _ oldHedge: Line?, _ now: MonotonicInstant
    ) {
        guard let first else { return demand(false, "hedges nothing") }
        demand(pinned == nil, "hedges what is pinned")
        if first.liveSince != nil {
            // A hedge may move to another address before it is known whether the first connection omitted audio.
            demand(oldHedge != nil || now - first.lastProgress >= Self.shortestHedgeDelay, "hedges too soon")
        } else {
            demand(hadAudio || attempt.mirror != first.attempt.mirror, "asks twice who was never heard")
            demand(now - first.opened >= Self.slowTry, "hedges a try too soon")
            demand(!isPromoted, "hedges what was a hedge, without end")
        }
        switch event {
        case .tick(let isAllowed) where oldHedge == nil:
            demand(isAllowed && mayHedge, "hedges although it must not")
            if first.liveSince != nil {
                demand(refusals[attempt.mirror].map { now >= $0 + .seconds(600) } ?? true, "asks who would not have it")
            }
        case .ended(.hedge, _), .tick:
            demand(oldHedge?.attempt.viaLastFinalURL == true, "hedges a hedge")
        case .follow(let role, _): demand(role == .hedge, "hedges for a playlist")
        default: demand(false, "hedges without a reason")
        }
    }

    private mutating func judgeClose(
        _ event: MachineEvent, _ oldFirst: Line?, _ oldHedge: Line?, _ now: MonotonicInstant
    ) {
        guard let oldHedge else { return demand(false, "closes what is no hedge") }
        switch event {
        case .recovered: demand(oldFirst?.liveSince != nil, "closes a hedge before there is any audio")
        case .ended(.hedge, _):
            demand(oldFirst.map { !isOverdue($0, now) } ?? false, "stays with what has stalled for good")
        case .tick:
            demand(oldFirst.map { !isOverdue($0, now) } ?? false, "stays with what has stalled for good")
            demand(now - oldHedge.lastProgress >= Self.limits.stall, "closes a hedge too soon")
        default: demand(false, "closes a hedge that it needs")
        }
    }

    /// Whether a live first connection has been silent for too long.
    private func isOverdue(_ first: Line, _ now: MonotonicInstant) -> Bool {
        first.liveSince != nil && now - first.silentSince >= stall
    }

    private mutating func open(_ attempt: ConnectionMachine.Attempt, _ before: Line?, _ now: MonotonicInstant) {
        demand(isStarted, "connects before the start")
        demand(attempt.number == attempts + 1, "counts wrongly")
        attempts = attempt.number
        waitsForReplaced = false
        demand((0..<mirrors).contains(attempt.mirror), "invents a mirror")
        demand(pinned == nil || attempt.mirror == pinned, "leaves a pinned mirror")
        demand(holds[attempt.mirror].map { $0.until <= now } ?? true, "tries a mirror that wants to be left alone")
        holds[attempt.mirror] = nil
        if attempt.viaLastFinalURL {
            let led = before.map { $0.liveSince != nil && $0.leadsElsewhere && $0.attempt.mirror == attempt.mirror }
            demand(led == true, "goes where no redirect led")
        }
    }

    private mutating func judgeStop(_ reason: ConnectionMachine.StopReason, _ event: MachineEvent, _ oldFirst: Line?) {
        switch reason {
        case .requested: demand(event == .requestStop, "stops by itself")
        case .finished:
            demand(oldFirst != nil && event == .finished, "finishes without an end")
        case .gaveUp(let failure):
            demand(giveUp != nil || failure.failureClass.isFinal, "gives up although it must not")
            demand(!hadAudio || pinned != nil, "gives up what was heard")
        }
    }

    /// Compares what the machine reports with what the oracle knows.
    private mutating func compare(_ machine: ConnectionMachine, _ now: MonotonicInstant) {
        demand(machine.connection(.first)?.attempt == first?.attempt, "another first connection is open")
        demand(machine.connection(.hedge)?.attempt == hedge?.attempt, "another hedge is open")
        for connection in [machine.connection(.first), machine.connection(.hedge)].compactMap(\.self) {
            demand(connection.since <= now && connection.delivered >= .zero, "knows the future")
        }
        demand(machine.isLive == (first?.liveSince != nil), "is live or not")
        demand(machine.hedges == hedges && machine.reconnects == reconnects, "counts wrongly")
        guard isStarted, !isStopped else { return demand(machine.deadline == nil, "has a deadline at rest") }
        guard let deadline = machine.deadline else { return demand(isPaused && first != nil, "has no way out") }
        if first != nil {
            demand(deadline - now <= max(Self.longestStep, stall), "lets a connection hang")
        } else {
            demand(deadline - now <= (isHeld || waitsForReplaced ? .seconds(600) : .seconds(72)), "waits too long")
        }
    }

    /// Whether every usable mirror asks to be left alone.
    private var isHeld: Bool { (pinned.map { [$0] } ?? Array(0..<mirrors)).allSatisfy { holds[$0] != nil } }
}

extension MachineEvent {
    var isTick: Bool { if case .tick = self { true } else { false } }
}
