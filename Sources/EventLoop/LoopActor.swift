// SPDX-License-Identifier: MIT

/// An actor that lives on a loop: its methods run on the loop's thread.
///
///     actor Engine: LoopActor {
///         nonisolated let loop: EventLoop
///         func start() { station = Station(reactor: loop.reactor) }
///     }
package protocol LoopActor: Actor {
    /// Held strongly: the executor reference in an actor is unowned.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
}
