// SPDX-License-Identifier: MIT

import CLibEvent
import Glibc
import Instants

/// The reactor of a real loop. Every entry point checks that it is called on the loop's thread.
///
/// Timers, watches and signals are libevent events that retain the reactor, so that the base is freed after the last of
/// them. Releasing a timer, watch or signal cancels it.
final class LibeventReactor: Reactor {
    let base: OpaquePointer
    /// The only part that other threads touch.
    let inbox: Inbox

    private let thread: LoopThread
    private let wakeEvent: OpaquePointer
    private var turnNow: MonotonicInstant?
    private var turnWallNow: WallInstant?
    private var deferred: [DeferredCall] = []
    /// Timers that were already due when they were armed.
    private var due: [DueTimer] = []
    /// The epoll set of the coalesced watches; nil without any. Weak, because the set retains the reactor.
    private weak var coalescer: CoalescedSockets?

    /// A timer that was due when it was armed; weak, because releasing a timer cancels it.
    private struct DueTimer {
        weak var timer: LibeventTimer?
    }

    /// A closure in a struct, because an array of bare closures allocates a thunk for each.
    private struct DeferredCall {
        let run: () -> Void
    }

    /// The maximum number of deferred calls per run, so that calls which keep deferring do not starve the sockets.
    private static let deferredLimit = 4096

    /// 2.1.12 in libevent's encoding.
    private static let oldestLibrary: UInt32 = 0x0201_0c00

    init(thread: LoopThread) throws(EventLoopError) {
        let version = ac_event_library_version()
        guard version >= Self.oldestLibrary else { throw .oldLibrary(version: version) }
        guard let base = ac_event_base_create() else { throw .noDescriptors(errno: errno) }
        var event: OpaquePointer?
        let bell = ac_event_wakeup_create(base, &event)
        guard bell >= 0, let event else {
            let number = errno
            ac_event_base_free(base)
            throw .noDescriptors(errno: number)
        }
        self.base = base
        self.thread = thread
        inbox = Inbox(thread: thread, bell: bell)
        wakeEvent = event
    }

    deinit {
        ac_event_free(wakeEvent)
        ac_event_base_free(base)
    }

    // MARK: Turns, for the loop

    var hasDeferred: Bool { !deferred.isEmpty }

    /// Begins a turn: polls, waiting or not, and calls back everything that is due.
    func turn(wait: Bool) {
        // libevent 2.1 has no hook between its poll and its callbacks, so the clocks are read on first use.
        turnNow = nil
        turnWallNow = nil
        // Timers queued by this turn's callbacks belong to the next turn.
        let count = due.count
        let result = ac_event_base_turn(base, wait && due.isEmpty)
        precondition(result == 0, "epoll_wait failed with errno \(errno)")
        fireDue(count)
    }

    private func fireDue(_ count: Int) {
        guard count > 0 else { return }
        for position in 0..<count { due[position].timer?.fireQueued() }
        due.removeFirst(count)
    }

    /// Fires the timer in the next turn, which will not wait.
    func runNextTurn(_ timer: LibeventTimer) {
        due.append(DueTimer(timer: timer))
    }

    /// Runs deferred calls, including those that they defer.
    func runDeferred() {
        guard !deferred.isEmpty else { return }
        var position = 0
        while position < deferred.count, position < Self.deferredLimit {
            let call = deferred[position]
            position += 1
            call.run()
        }
        if position == deferred.count {
            deferred.removeAll(keepingCapacity: true)
        } else {
            deferred.removeFirst(position)
        }
    }

    /// The sockets that report in rounds, created if there are none yet. Nil if the process has no descriptor left.
    func coalescedSockets() -> CoalescedSockets? {
        let sockets = coalescer ?? CoalescedSockets(self)
        coalescer = sockets
        return sockets
    }

    func checkThread() {
        precondition(thread.isCurrent, "a reactor is used off its loop")
    }

    // MARK: Reactor

    var now: MonotonicInstant {
        if let turnNow { return turnNow }
        let now = SystemClock.monotonic
        turnNow = now
        return now
    }

    var wallNow: WallInstant {
        if let turnWallNow { return turnWallNow }
        let now = SystemClock.wall
        turnWallNow = now
        return now
    }

    func readClocks() -> ClockReading { ClockReading(wall: SystemClock.wall, now: SystemClock.monotonic) }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer {
        checkThread()
        return LibeventTimer(reactor: self, handler: handler)
    }

    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        checkThread()
        return LibeventSocketWatch(reactor: self, descriptor: descriptor, handler: handler)
    }

    func `defer`(_ handler: @escaping () -> Void) {
        checkThread()
        deferred.append(DeferredCall(run: handler))
    }

    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        checkThread()
        return LibeventSignalWatch(reactor: self, number: number, handler: handler)
    }
}
