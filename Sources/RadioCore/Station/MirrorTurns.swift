// SPDX-License-Identifier: MIT

import Instants

/// Whose turn it is among a station's mirrors, and until when each is to be left alone: a value.
struct MirrorTurns: Sendable {
    private struct Hold: Hashable, Sendable {
        var until: MonotonicInstant
        var failureClass: Failure.Class
    }

    private struct Mirror: Hashable, Sendable {
        /// Where the server asked to be left alone, or only a person can help.
        var hold: Hold?
        /// Whether it last sent something that is not supported.
        var isUnsupported = false
        /// Until when other mirrors come before it, because it hung.
        var slowUntil: MonotonicInstant?
        /// Until when it gets no hedge beside a live connection: it refused one.
        var noHedgeUntil: MonotonicInstant?
        /// Whether it has had its try since good audio broke off.
        var wasTried = false
        /// Whether its last try brought some seconds of audio.
        var wasGood = false
    }

    private var mirrors: [Mirror]
    /// Until when mirrors without a hold are left alone.
    private var pause = MonotonicInstant(nanoseconds: .min)
    /// Which mirror is next.
    private var turn = 0
    /// The mirror that a file is fetched from: a file can go on nowhere else.
    private var only: Int?

    private static let slowness = Duration.seconds(600)
    private static let refusal = Duration.seconds(600)

    /// A try of this length without audio is slow; audio of this length is good.
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

    /// The mirror to try next, if any may be tried. Mirrors take turns. Those that hung lately come last in the first
    /// round, and have to wait while another brings some seconds at least.
    func next(_ now: MonotonicInstant) -> Int? {
        let ready = ready(now)
        let quick = ready.filter { !isSlow($0, now) }
        if let fresh = quick.first(where: { !mirrors[$0].wasTried }) { return fresh }
        if quick.contains(where: { mirrors[$0].wasGood }) { return quick.first }
        return ready.first { !mirrors[$0].wasTried } ?? ready.first
    }

    /// Where a second connection goes, if anywhere, beside one to `mirror`, which has fallen silent, or has not
    /// answered yet. A live connection may come back sooner than a mirror that hung lately, and is not put at risk
    /// where the server refused a second connection lately.
    func next(beside mirror: Int, isLive: Bool, _ now: MonotonicInstant) -> Int? {
        let takers = ready(now).filter { !isLive || !refusesHedges($0, now) }
        let others = takers.filter { $0 != mirror }
        if let other = others.first(where: { !isSlow($0, now) }) ?? (isLive ? nil : others.first) { return other }
        let isHeld = mirrors[mirror].hold.map { $0.until > now } ?? false
        return isHeld || (isLive && refusesHedges(mirror, now)) ? nil : mirror
    }

    /// Mirrors that may be tried, in turn.
    private func ready(_ now: MonotonicInstant) -> [Int] { inTurn.filter { due($0) <= now } }

    private var inTurn: [Int] { only.map { [$0] } ?? (0..<count).map { (turn + $0) % count } }

    private func due(_ mirror: Int) -> MonotonicInstant { mirrors[mirror].hold?.until ?? pause }

    private func refusesHedges(_ mirror: Int, _ now: MonotonicInstant) -> Bool {
        mirrors[mirror].noHedgeUntil.map { $0 > now } ?? false
    }

    private func isSlow(_ mirror: Int, _ now: MonotonicInstant) -> Bool {
        mirrors[mirror].slowUntil.map { $0 > now } ?? false
    }

    /// Good audio has broken off: each mirror may be tried at once again.
    mutating func beginRound() {
        for index in mirrors.indices { mirrors[index].wasTried = false }
    }

    /// The first mirror, which is the preferred one, is next.
    mutating func preferFirst() { turn = 0 }
}

// MARK: - Tries

extension MirrorTurns {
    /// A mirror is being tried.
    mutating func begin(_ mirror: Int) {
        turn = mirror + 1
        mirrors[mirror].hold = nil
        mirrors[mirror].wasTried = true
    }

    /// A try has brought audio.
    mutating func delivered(_ mirror: Int, isFile: Bool) {
        mirrors[mirror].slowUntil = nil
        mirrors[mirror].hold = nil
        only = isFile ? mirror : nil
    }

    /// The source is no file after all: any mirror may bring it.
    mutating func isNoFile() { only = nil }

    /// A mirror has refused a second connection beside a live one.
    mutating func refusedHedge(_ mirror: Int, _ now: MonotonicInstant) {
        mirrors[mirror].noHedgeUntil = now + Self.refusal
    }

    /// Whether each mirror has been tried, and sends what is not supported.
    var areAllUnsupported: Bool { mirrors.allSatisfy(\.isUnsupported) }

    /// A try has failed, and a delay should follow: but only when every mirror that may be tried has had its try.
    mutating func postpone(by delay: Duration, _ now: MonotonicInstant) {
        let isAnyLeft = inTurn.contains { !mirrors[$0].wasTried && (mirrors[$0].hold?.until ?? now) <= now }
        pause = isAnyLeft ? now : now + delay
    }
}

// MARK: - Connections

extension MirrorTurns {
    /// A connection is over: notes what that says of its mirror. Returns whether the mirror is to be left alone for
    /// longer than `delay`.
    @discardableResult
    mutating func settle(
        _ connection: ConnectionMachine.Connection, _ failure: Failure?, delay: Duration = .zero,
        _ now: MonotonicInstant
    ) -> Bool {
        let mirror = connection.attempt.mirror
        mirrors[mirror].wasGood = connection.delivered >= slowTry
        mirrors[mirror].isUnsupported = failure?.failureClass == .unsupported
        guard let failure, let hold = Backoff.hold(after: failure), hold > delay else { return false }
        mirrors[mirror].hold = Hold(until: now + hold, failureClass: failure.failureClass)
        return true
    }

    /// A try is over. If it hung without audio, its mirror counts as slow, unless the try went straight to the
    /// redirect's end: that one hanging is not the mirror's doing.
    mutating func noteSlowness(of connection: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        guard connection.step < .live, !connection.attempt.viaLastFinalURL else { return }
        if now - connection.began >= slowTry { mirrors[connection.attempt.mirror].slowUntil = now + Self.slowness }
    }
}

// MARK: - What else changes

extension MirrorTurns {
    /// The address at `mirror` led to others, which take its place and make `count` in all.
    mutating func replace(_ mirror: Int, total count: Int) {
        only = nil
        guard count >= mirrors.count else { return self = MirrorTurns(count: count, slowTry: slowTry) }
        let entries = count - mirrors.count + 1
        mirrors.replaceSubrange(mirror...mirror, with: Array(repeating: Mirror(), count: entries))
        beginRound()
    }

    /// A new list of mirrors, the first of them next. `old` holds the index of each in the list before, if it was
    /// there: what is known of it is kept.
    mutating func replace(_ old: [Int?]) {
        mirrors = old.map { index in index.map { mirrors[$0] } ?? Mirror() }
        if mirrors.isEmpty { mirrors = [Mirror()] }
        (turn, only) = (0, nil)
    }

    /// Ends the pause that no server asked for.
    mutating func endPause(_ now: MonotonicInstant) { pause = min(pause, now) }

    /// Certificates may be good by now.
    mutating func releaseCertificates() {
        for index in mirrors.indices where mirrors[index].hold?.failureClass.dependsOnClock == true {
            mirrors[index].hold = nil
        }
    }

    /// Mirrors that hung may be reached by another way.
    mutating func forgetSlowness() {
        for index in mirrors.indices { mirrors[index].slowUntil = nil }
    }
}
