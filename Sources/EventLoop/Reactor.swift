// SPDX-License-Identifier: MIT

package import Instants

/// What code on the loop's thread may do with the loop: timers, sockets, deferred calls, signals.
///
/// Not Sendable and had only on the loop: `EventLoop` hands it to what runs there. Two implementations: libevent's,
/// and `ManualReactor` with virtual time for tests. All handlers run on the loop's thread, one at a time, and may do
/// anything to the loop, also cancel themselves.
package protocol Reactor: AnyObject {
    /// The monotonic clock, read once per turn of the loop: equal for everything that happens in one turn.
    var now: MonotonicInstant { get }
    /// The wall clock, read once per turn.
    var wallNow: WallInstant { get }

    /// Both clocks, read anew and together. For what has just been read from a socket ``now`` can be too old: it may
    /// have arrived since. Both are those of the turn where time stands still within one.
    func readClocks() -> (now: MonotonicInstant, wall: WallInstant)

    /// What other threads want done on the loop; they reach it through ``LoopBound``.
    var inbox: Inbox { get }

    /// A timer that is not armed yet.
    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer

    /// Watches a descriptor, level-triggered; nothing is wanted yet. The descriptor stays the caller's and must
    /// outlive the watch.
    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch

    /// Runs `handler` later in this turn, after the callbacks that are under way: for whatever may destroy its caller.
    func `defer`(_ handler: @escaping () -> Void)

    /// Runs `handler` whenever the process gets the signal, until the watch is cancelled. One loop per process only.
    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch
}

extension Reactor {
    package func readClocks() -> (now: MonotonicInstant, wall: WallInstant) { (now, wallNow) }
}

/// A one-shot timer; fires once for each `arm`.
package protocol ReactorTimer: AnyObject {
    /// Arms, or re-arms, for an instant. One that has passed fires in the next turn, never inside this call.
    func arm(at instant: MonotonicInstant)
    /// Takes the alarm back; does nothing where none is set. A cancelled alarm never fires.
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
    /// What is wanted; `[]` pauses the watch.
    var interest: Readiness { get set }
    /// Ends the watch for good. Must come before the descriptor is closed.
    func cancel()
}

/// A watched signal.
package protocol SignalWatch: AnyObject {
    func cancel()
}
