// SPDX-License-Identifier: MIT

package import Instants

/// The loop's services for code on its thread: timers, sockets, deferred calls, signals.
///
/// Not Sendable and accessible only on the loop: `EventLoop` passes it to the code that runs there. There are two
/// implementations: libevent's, and `ManualReactor` with virtual time for tests. All handlers run on the loop's thread,
/// one at a time, and may do anything to the loop, including cancelling themselves.
package protocol Reactor: AnyObject {
    /// The monotonic clock, read once per turn of the loop: equal for everything that happens in one turn.
    var now: MonotonicInstant { get }
    /// The wall clock, read once per turn.
    var wallNow: WallInstant { get }

    /// Reads both clocks together at this moment. ``now`` can be too old for data just read from a socket, which may
    /// have arrived since. If time stands still within a turn, returns the turn's clocks.
    func readClocks() -> ClockReading

    /// The inbox of the loop, to which other threads submit work through ``LoopBound``.
    var inbox: Inbox { get }

    /// Creates a timer, unarmed.
    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer

    /// Watches a descriptor, level-triggered, at first with no interest. The caller keeps ownership of the descriptor,
    /// which must outlive the watch.
    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch

    /// Runs `handler` later in this turn, after the current callbacks: for anything that may destroy its caller.
    func `defer`(_ handler: @escaping () -> Void)

    /// Runs `handler` whenever the process gets the signal, until cancelled. Only one loop per process may do so.
    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch
}

extension Reactor {
    package func readClocks() -> ClockReading { ClockReading(wall: wallNow, now: now) }
}

/// A one-shot timer; fires once per `arm`.
package protocol ReactorTimer: AnyObject {
    /// Arms or re-arms the timer. For a past instant it fires in the next turn, never inside this call.
    func arm(at instant: MonotonicInstant)
    /// Cancels the timer; does nothing if it is not armed. A cancelled timer never fires.
    func cancel()
    var isArmed: Bool { get }
}

/// What a descriptor is ready for, or should be watched for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
}

/// A watched descriptor.
package protocol SocketWatch: AnyObject {
    /// The readiness to report; `[]` pauses the watch.
    var interest: Readiness { get set }
    /// Whether readability may be reported some 50 ms late, together with that of other coalesced watches. False at
    /// first. Has no effect while writability is watched as well.
    var isCoalesced: Bool { get set }
    /// Ends the watch for good. Must precede closing the descriptor.
    func cancel()
}

/// A watched signal.
package protocol SignalWatch: AnyObject {
    func cancel()
}
