// SPDX-License-Identifier: MIT

import CLibEvent
import Instants

/// A timer of libevent. Releasing the object cancels it.
final class LibeventTimer: ReactorTimer {
    private let reactor: LibeventReactor
    private let handler: () -> Void
    private var event: OpaquePointer?
    private var deadline = MonotonicInstant(nanoseconds: 0)
    private(set) var isArmed = false
    /// Whether the reactor will check this timer in the next turn.
    private var isQueued = false

    init(reactor: LibeventReactor, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.handler = handler
        event = ac_event_timer_create(reactor.base, timerDue, Unmanaged.passUnretained(self).toOpaque())
        precondition(event != nil, "out of memory for a timer")
    }

    deinit {
        if let event { ac_event_free(event) }
    }

    func arm(at instant: MonotonicInstant) {
        reactor.checkThread()
        deadline = instant
        isArmed = true
        setAlarm()
    }

    func cancel() {
        reactor.checkThread()
        guard isArmed, let event else { return }
        isArmed = false
        ac_event_cancel(event)
    }

    private func setAlarm() {
        guard deadline > reactor.now else { return queue() }
        guard let event, ac_event_timer_arm(event, deadline.nanoseconds) == 0 else {
            preconditionFailure("out of memory for a timer")
        }
    }

    /// A timer that is already due bypasses libevent, whose coarse clock would delay it until its next tick: 4 ms.
    private func queue() {
        if let event { ac_event_cancel(event) }
        guard !isQueued else { return }
        isQueued = true
        reactor.runNextTurn(self)
    }

    /// Called in the turn after ``arm(at:)`` for a timer that was due then. It may have been cancelled or postponed.
    func fireQueued() {
        isQueued = false
        if isArmed, reactor.now >= deadline { fire() }
    }

    fileprivate func fire() {
        // libevent may call too early: its coarse clock may have ticked when the timer was armed, between libevent's
        // reading of the clock and ours.
        guard reactor.now >= deadline else { return setAlarm() }
        isArmed = false
        handler()
    }
}

/// libevent's callback. `deinit` frees the event, so the timer exists; it is retained during the call.
private func timerDue(_: CInt, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LibeventTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
