// SPDX-License-Identifier: MIT

package import Instants

@testable package import EventLoop

/// A reactor with virtual time, for tests: only the test makes things happen, on its own thread.
///
/// Each instant at which something is due is a turn, in the order of the real loop: timers by deadline (equal deadlines
/// in the order of arming), sockets and signals, deferred calls, calls from other threads. As on the real loop, a timer
/// armed for a past instant fires in the next turn, a cancelled timer never fires, and releasing a timer or watch
/// cancels it.
package final class ManualReactor: Reactor {
    package private(set) var now: MonotonicInstant
    package private(set) var wallNow: WallInstant
    package let inbox = Inbox(thread: LoopThread(), bell: nil)

    fileprivate var alarms: [Alarm] = []
    fileprivate var alarmsMade = 0
    private var watches: [CInt: [WeakWatch]] = [:]
    private var signals: [WeakSignal] = []
    private var deferred: [() -> Void] = []
    private var isInTurn = false

    fileprivate struct Alarm {
        var deadline: MonotonicInstant
        var number: Int
        /// Unretained, but valid as long as the alarm: the timer removes the alarm in its deinit.
        var timer: Unmanaged<ManualTimer>
    }

    private struct WeakWatch { weak var watch: ManualSocketWatch? }
    private struct WeakSignal { weak var watch: ManualSignalWatch? }

    /// The number of turns at one instant after which the code under test is considered to be in an endless loop.
    private static let turnLimit = 100_000

    /// Starts at the given instants; by default a second after the monotonic clock's start, at the start of 2026.
    package init(
        now: MonotonicInstant = MonotonicInstant(nanoseconds: 1_000_000_000),
        wallNow: WallInstant = WallInstant(nanoseconds: 1_767_225_600_000_000_000)
    ) {
        self.now = now
        self.wallNow = wallNow
    }

    // MARK: What a test does

    /// Runs everything due now, without moving the time: past timers, deferred calls, calls from other threads.
    package func settle() {
        advance(to: now)
    }

    /// Advances the time, and runs everything that becomes due until then.
    package func advance(by duration: Duration) {
        advance(to: now + duration)
    }

    /// Advances the time to an instant; see ``advance(by:)``. An instant in the past only settles.
    package func advance(to instant: MonotonicInstant) {
        turn {}
        while let next = nextAlarm, next <= instant {
            move(to: next)
            turn {}
        }
        move(to: instant)
    }

    /// Advances the time as if the process had stood still, such as on a suspended machine: a single turn sees it all.
    package func standStill(for duration: Duration) {
        move(to: now + duration)
        settle()
    }

    /// Steps the wall clock, as when somebody sets it; the monotonic clock is unaffected.
    package func stepWall(to instant: WallInstant) {
        wallNow = instant
    }

    /// Whether a call from another thread has not run yet: see ``LoopBound/tell(_:)``.
    package var hasBeenTold: Bool { !inbox.isEmpty }

    /// Makes a turn in which the descriptor is ready, and calls each of its watches with the part of `readiness` that
    /// the watch wants.
    ///
    /// Returns false if no watch wanted any part of it.
    @discardableResult
    package func makeReady(_ descriptor: CInt, _ readiness: Readiness) -> Bool {
        var isWanted = false
        turn {
            for watch in self.watches(of: descriptor) {
                isWanted = watch.ready(readiness) || isWanted
            }
        }
        return isWanted
    }

    /// The combined interest of a descriptor's watches; `[]` without any.
    package func interest(in descriptor: CInt) -> Readiness {
        watches(of: descriptor).filter { !$0.isCancelled }.reduce(into: []) { $0.formUnion($1.interest) }
    }

    /// Whether a descriptor is watched, and may be reported late.
    package func isCoalesced(_ descriptor: CInt) -> Bool {
        let active = watches(of: descriptor).filter { !$0.isCancelled }
        return !active.isEmpty && active.allSatisfy(\.isCoalesced)
    }

    private func watches(of descriptor: CInt) -> [ManualSocketWatch] {
        watches[descriptor, default: []].compactMap(\.watch)
    }

    /// Makes a turn in which the process receives a signal. Returns false if nobody watches it.
    @discardableResult
    package func raise(_ signal: CInt) -> Bool {
        var isWatched = false
        turn {
            for watch in self.signals.compactMap(\.watch) where watch.number == signal {
                isWatched = watch.fire() || isWatched
            }
        }
        return isWatched
    }

    /// The deadline of the earliest armed timer.
    package var nextAlarm: MonotonicInstant? { alarms.map(\.deadline).min() }

    // MARK: Reactor

    package func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer {
        ManualTimer(reactor: self, handler: handler)
    }

    package func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        let watch = ManualSocketWatch(handler: handler)
        watches[descriptor] = watches[descriptor, default: []].filter { $0.watch != nil } + [WeakWatch(watch: watch)]
        return watch
    }

    package func `defer`(_ handler: @escaping () -> Void) {
        deferred.append(handler)
    }

    package func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        let watch = ManualSignalWatch(number: number, handler: handler)
        signals.removeAll { $0.watch == nil }
        signals.append(WeakSignal(watch: watch))
        return watch
    }

    // MARK: Turns

    private func move(to instant: MonotonicInstant) {
        guard instant > now else { return }
        wallNow = wallNow + (instant - now)
        now = instant
    }

    /// Runs turns until nothing is left to do at this instant; `events` are the sockets and signals of the first turn.
    private func turn(_ events: () -> Void) {
        precondition(!isInTurn, "time is moved from inside a handler")
        isInTurn = true
        defer { isInTurn = false }
        fireDueAlarms()
        events()
        runDeferred()
        var turns = 0
        while hasBeenTold || (nextAlarm.map { $0 <= now } ?? false) {
            turns += 1
            precondition(turns <= Self.turnLimit, "handlers keep posting or arming timers for the same instant")
            fireDueAlarms()
            runDeferred()
            runInbox()
            runDeferred()
        }
    }

    /// Fires the timers due at the start of the turn, unless an earlier handler has cancelled or re-armed them.
    private func fireDueAlarms() {
        let due = alarms.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
        for number in due.map(\.number) {
            guard let index = alarms.firstIndex(where: { $0.number == number }) else { continue }
            alarms.remove(at: index).timer.takeUnretainedValue().fire()
        }
    }

    private func runInbox() {
        var items: [Inbox.Item] = []
        inbox.take(into: &items)
        for case .call(let call) in items { call() }
    }

    private func runDeferred() {
        var position = 0
        while position < deferred.count {
            let call = deferred[position]
            position += 1
            precondition(position <= Self.turnLimit, "deferred calls keep deferring others")
            call()
        }
        deferred = []
    }
}

// MARK: - Timers and watches

/// A timer in virtual time.
private final class ManualTimer: ReactorTimer {
    private let reactor: ManualReactor
    private let handler: () -> Void

    init(reactor: ManualReactor, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.handler = handler
    }

    deinit { cancel() }

    func arm(at instant: MonotonicInstant) {
        cancel()
        reactor.alarmsMade += 1
        reactor.alarms.append(.init(deadline: instant, number: reactor.alarmsMade, timer: .passUnretained(self)))
    }

    func cancel() { reactor.alarms.removeAll(where: isMine) }

    var isArmed: Bool { reactor.alarms.contains(where: isMine) }

    private func isMine(_ alarm: ManualReactor.Alarm) -> Bool {
        alarm.timer.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }

    func fire() { handler() }
}

/// A watch of a descriptor, which is only a number and becomes ready when the test says so.
private final class ManualSocketWatch: SocketWatch {
    var interest: Readiness = []
    var isCoalesced = false
    private(set) var isCancelled = false
    private let handler: (Readiness) -> Void

    init(handler: @escaping (Readiness) -> Void) {
        self.handler = handler
    }

    func cancel() { isCancelled = true }

    /// Calls the handler with the part of the readiness that the watch wants. Returns false if the watch wants no part
    /// of it.
    func ready(_ readiness: Readiness) -> Bool {
        let wanted = interest.intersection(readiness)
        guard !isCancelled, !wanted.isEmpty else { return false }
        handler(wanted)
        return true
    }
}

/// A watch of a signal that arrives when the test says so.
private final class ManualSignalWatch: SignalWatch {
    let number: CInt
    private let handler: () -> Void
    private var isCancelled = false

    init(number: CInt, handler: @escaping () -> Void) {
        self.number = number
        self.handler = handler
    }

    func cancel() { isCancelled = true }

    func fire() -> Bool {
        guard !isCancelled else { return false }
        handler()
        return true
    }
}
