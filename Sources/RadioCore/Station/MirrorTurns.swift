// SPDX-License-Identifier: MIT

import Instants

/// Whose turn it is among a station's mirrors, and until when each is to be left alone: a value.
struct MirrorTurns: Sendable {
    private struct Hold: Hashable, Sendable {
        var until: MonotonicInstant
        var failureClass: Failure.Class
    }

    /// For each mirror that asked for it, or that only a person can help.
    private var holds: [Hold?]
    /// For each mirror whether what it sent last is of no use here, and will not be tomorrow.
    private var unsupported: [Bool]
    /// Until when the others are left alone.
    private var pause = MonotonicInstant(nanoseconds: .min)
    /// Which mirror is next.
    private var turn = 0
    /// Tries without any delay in this round: each mirror without a hold may have one.
    private var triedAtOnce = 0

    init(count: Int) {
        holds = Array(repeating: nil, count: max(1, count))
        unsupported = Array(repeating: false, count: holds.count)
    }

    var count: Int { holds.count }

    /// When the first of them may be tried.
    var nextDue: MonotonicInstant { holds.map { $0?.until ?? pause }.min() ?? pause }

    /// The next one that may be tried, if any.
    func next(_ now: MonotonicInstant) -> Int? {
        let inTurn = (0..<count).lazy.map { (turn + $0) % count }
        return inTurn.first { (holds[$0]?.until ?? pause) <= now }
    }

    /// A mirror is being tried.
    mutating func begin(_ mirror: Int) {
        turn = mirror + 1
        holds[mirror] = nil
    }

    /// What came of a try.
    mutating func failed(_ mirror: Int, _ failure: Failure?) {
        unsupported[mirror] = failure?.failureClass == .unsupported
    }

    /// Whether each mirror has been tried, and sends what is of no use here.
    var areAllUnsupported: Bool { unsupported.allSatisfy(\.self) }

    /// A mirror is to be left alone.
    mutating func hold(_ mirror: Int, until: MonotonicInstant, because failureClass: Failure.Class) {
        holds[mirror] = Hold(until: until, failureClass: failureClass)
    }

    /// A try has failed, after which there should be a delay. Every mirror that may be tried is, before any waits.
    mutating func postpone(by delay: Duration, _ now: MonotonicInstant) {
        if delay > .zero { triedAtOnce += 1 }
        let free = holds.count { ($0?.until ?? now) <= now }
        pause = triedAtOnce < free ? now : now + delay
    }

    /// Good audio has broken off: each may be tried at once again.
    mutating func beginRound() { triedAtOnce = 0 }

    /// The first mirror, which is the preferred one, is next.
    mutating func preferFirst() { turn = 0 }

    /// What stood at `mirror` leads to others, which makes `count` in all.
    mutating func replace(_ mirror: Int, total count: Int) {
        guard count >= holds.count else { return self = MirrorTurns(count: count) }
        let entries = count - holds.count + 1
        holds.replaceSubrange(mirror...mirror, with: Array(repeating: nil, count: entries))
        unsupported.replaceSubrange(mirror...mirror, with: Array(repeating: false, count: entries))
        triedAtOnce = 0
    }

    /// Whatever there was to wait for without a server's wish is over.
    mutating func endPause(_ now: MonotonicInstant) {
        pause = min(pause, now)
    }

    /// What was wrong with certificates may be right by now.
    mutating func releaseCertificates() {
        holds = holds.map { $0?.failureClass == .certificate ? nil : $0 }
    }
}
