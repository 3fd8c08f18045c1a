// SPDX-License-Identifier: MIT

import Instants

/// Decides which of a station's mirrors is next, and how long each is left alone.
///
/// What a server asks for is obeyed. How long a mirror is left alone for any other reason depends on how the others do:
/// ten minutes if they keep the programme going, less if they do not.
struct MirrorTurns: Sendable {
    private struct Hold: Hashable, Sendable {
        var until: MonotonicInstant
        var failureClass: Failure.Class
        /// Whether the hold is longer than the delay between tries, which then does not matter.
        var isLong: Bool
    }

    /// Why a mirror does not get every turn: it lasts for some time, and for some bad connections to other mirrors.
    private struct Setback: Hashable, Sendable {
        var until: MonotonicInstant
        var badOthers: Int

        func applies(_ now: MonotonicInstant) -> Bool { until > now && badOthers > 0 }
    }

    private struct Mirror: Hashable, Sendable {
        /// Until when the mirror is left alone, and why. Set if the server requested a pause, or if the failure needs a
        /// person.
        var hold: Hold?
        /// Whether the mirror last sent something that is not supported.
        var isUnsupported = false
        /// Other mirrors are tried before this one, because this one hung.
        var slowness: Setback?
        /// The mirror gets no hedge beside a live connection, because it refused one.
        var refusal: Setback?
        /// Whether the mirror has been tried since audio last progressed.
        var wasTried = false
        var standing = ConnectionMachine.MirrorStanding()
    }

    private var mirrors: [Mirror]
    /// Until when mirrors without a hold are left alone.
    private var pause = MonotonicInstant(nanoseconds: .min)
    /// The index of the next mirror.
    private var turn = 0
    /// The mirror that alone is tried; nil if any is.
    var pinned: Int?

    private static let longestSetback = Duration.seconds(600)
    /// A hedge that hangs takes the time of several others, a hedge that is refused takes none.
    private static let badOthers = (slowness: 2, refusal: 1)

    /// A try without audio for this time is slow.
    private let slowTry: Duration

    init(count: Int, slowTry: Duration) {
        mirrors = Array(repeating: Mirror(), count: max(1, count))
        self.slowTry = slowTry
    }

    var count: Int { mirrors.count }
}

// MARK: - Turns

extension MirrorTurns {
    /// When the next mirror may be tried.
    var nextDue: MonotonicInstant { inTurn.map(due).min() ?? pause }

    /// The mirror to try next; nil if none may be tried. Mirrors take turns. Mirrors that hung lately come last, and so
    /// are not tried while each connection to another mirror begins a new round.
    func next(_ now: MonotonicInstant) -> Int? {
        let ready = ready(now)
        let fresh = ready.filter { !mirrors[$0].wasTried }
        return fresh.first { !isSlow($0, now) } ?? fresh.first ?? ready.first
    }

    /// The mirror for a hedge beside a connection to `mirror` that has fallen silent or has not answered yet; nil if
    /// there is none. Beside a live connection, another mirror that hung lately is left out, because the live
    /// connection may resume sooner. So is a mirror that lately refused a hedge, in order not to put the live
    /// connection at risk.
    func next(beside mirror: Int, isLive: Bool, _ now: MonotonicInstant) -> Int? {
        let takers = ready(now).filter { !isLive || !refusesHedges($0, now) }
        let others = takers.filter { $0 != mirror }
        if let other = others.first(where: { !isSlow($0, now) }) ?? (isLive ? nil : others.first) { return other }
        return !isReady(mirror, now) || (isLive && refusesHedges(mirror, now)) ? nil : mirror
    }

    /// The mirrors that may be tried, in the order of their turns.
    private func ready(_ now: MonotonicInstant) -> [Int] { inTurn.filter { isReady($0, now) } }

    func isReady(_ mirror: Int, _ now: MonotonicInstant) -> Bool { due(mirror) <= now }

    /// The mirrors in the order of their turns. If no mirror is known to carry the station, each has its turn: a list
    /// that was read again may have new addresses.
    private var inTurn: [Int] {
        if let pinned { return [pinned] }
        let all = (0..<count).map { (turn + $0) % count }
        let allowed = all.filter { mirrors[$0].standing.mayBeTried }
        return allowed.isEmpty ? all : allowed
    }

    private func due(_ mirror: Int) -> MonotonicInstant {
        mirrors[mirror].hold.map { $0.isLong ? $0.until : max($0.until, pause) } ?? pause
    }

    private func refusesHedges(_ mirror: Int, _ now: MonotonicInstant) -> Bool {
        mirrors[mirror].refusal?.applies(now) ?? false
    }

    private func isSlow(_ mirror: Int, _ now: MonotonicInstant) -> Bool {
        mirrors[mirror].slowness?.applies(now) ?? false
    }

    /// Starts a new round, because audio has progressed: each mirror may be tried at once again.
    mutating func beginRound() {
        for index in mirrors.indices { mirrors[index].wasTried = false }
    }

    /// Makes the first mirror, which is the preferred one, the next to be tried.
    mutating func preferFirst() { turn = 0 }
}

// MARK: - Standings

extension MirrorTurns {
    /// Sets what each mirror may be tried for.
    mutating func set(_ standings: [ConnectionMachine.MirrorStanding]) {
        for (index, standing) in zip(mirrors.indices, standings) { mirrors[index].standing = standing }
    }

    /// The mirror itself, or the first after it that may be tried.
    func allowed(from mirror: Int) -> Int {
        let turns = (0..<count).map { (mirror + $0) % count }
        return turns.first { mirrors[$0].standing.mayBeTried } ?? mirror % count
    }

    /// The better mirror to try beside the one that plays, and when it may be tried; nil if there is none. `tries` is
    /// the number of earlier tries: several better mirrors take turns.
    func better(tries: Int) -> (mirror: Int, due: MonotonicInstant)? {
        let better = mirrors.indices.filter { mirrors[$0].standing.isBetter && mirrors[$0].standing.mayBeTried }
        guard !better.isEmpty else { return nil }
        let mirror = better[tries % better.count]
        return (mirror, due(mirror))
    }
}

// MARK: - Tries

extension MirrorTurns {
    /// Moves the turn behind a mirror that is being tried.
    mutating func begin(_ mirror: Int) {
        turn = mirror + 1
        mirrors[mirror].hold = nil
        mirrors[mirror].wasTried = true
    }

    /// Clears what was held against a mirror, because a try has delivered audio.
    mutating func delivered(_ mirror: Int) { (mirrors[mirror].slowness, mirrors[mirror].hold) = (nil, nil) }

    /// Leaves a mirror without hedges for a while, because it has refused one beside a live connection.
    mutating func refusedHedge(_ mirror: Int, _ now: MonotonicInstant) {
        mirrors[mirror].refusal = Setback(until: now + Self.longestSetback, badOthers: Self.badOthers.refusal)
    }

    /// Takes note of a first connection that has ended, or that another one replaces. If it was live, but did not keep
    /// the programme going, the others get their turns earlier.
    mutating func left(_ connection: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        guard connection.step == .live, !connection.keptGoing(now) else { return }
        for index in mirrors.indices where index != connection.attempt.mirror {
            mirrors[index].slowness?.badOthers -= 1
            mirrors[index].refusal?.badOthers -= 1
        }
    }

    /// Whether the last try of every mirror yielded something that is not supported.
    var areAllUnsupported: Bool { mirrors.allSatisfy(\.isUnsupported) }

    /// Postpones the next try by `delay`. If the mirror whose turn it is has not been tried yet, the next try is due at
    /// once instead.
    mutating func postpone(by delay: Duration, _ now: MonotonicInstant) {
        pause = now
        if next(now).map({ mirrors[$0].wasTried }) ?? true { pause = now + delay }
    }
}

// MARK: - Connections

extension MirrorTurns {
    /// Updates the state of a mirror after the end of a connection to it. Returns true if the mirror is to be left
    /// alone for longer than `delay`.
    @discardableResult
    mutating func settle(
        _ connection: ConnectionMachine.Connection, _ failure: Failure?, delay: Duration = .zero,
        _ now: MonotonicInstant
    ) -> Bool {
        let mirror = connection.attempt.mirror
        mirrors[mirror].isUnsupported = failure?.failureClass == .unsupported
        guard let failure, let hold = Backoff.hold(after: failure) else { return false }
        let isLong = hold > delay
        mirrors[mirror].hold = Hold(until: now + hold, failureClass: failure.failureClass, isLong: isLong)
        return isLong
    }

    /// Counts the mirror as slow for a while if a try that ends hung without audio. A try that went straight to the end
    /// of a redirect does not count, because the mirror is not to blame if that address hangs.
    mutating func noteSlowness(of connection: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        guard connection.step < .live, !connection.attempt.viaLastFinalURL else { return }
        guard now - connection.began >= slowTry else { return }
        mirrors[connection.attempt.mirror].slowness = Setback(
            until: now + Self.longestSetback, badOthers: Self.badOthers.slowness)
    }
}

// MARK: - Other changes

extension MirrorTurns {
    /// Replaces the mirror at index `mirror` with the addresses that it led to, which makes `count` mirrors in all.
    mutating func replace(_ mirror: Int, total count: Int) {
        pinned = nil
        guard count >= mirrors.count else { return self = MirrorTurns(count: count, slowTry: slowTry) }
        let entries = count - mirrors.count + 1
        mirrors.replaceSubrange(mirror...mirror, with: Array(repeating: Mirror(), count: entries))
        beginRound()
    }

    /// Sets a new list of mirrors, and makes its first mirror the next to be tried. `old` holds each mirror's index in
    /// the previous list, or nil if the mirror is new; mirrors from the previous list keep their state.
    mutating func replace(_ old: [Int?]) {
        mirrors = old.map { index in index.map { mirrors[$0] } ?? Mirror() }
        if mirrors.isEmpty { mirrors = [Mirror()] }
        (turn, pinned) = (0, nil)
    }

    /// Ends the pause between tries, but not the holds of single mirrors.
    mutating func endPause(_ now: MonotonicInstant) { pause = min(pause, now) }

    /// Ends the holds of mirrors with bad certificates, which may be valid by now.
    mutating func releaseCertificates() {
        for index in mirrors.indices where mirrors[index].hold?.failureClass.dependsOnClock == true {
            mirrors[index].hold = nil
        }
    }

    /// Forgets which mirrors hung: they may be reachable in another way now.
    mutating func forgetSlowness() {
        for index in mirrors.indices { mirrors[index].slowness = nil }
    }
}
