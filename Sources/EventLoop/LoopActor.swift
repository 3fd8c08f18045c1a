// SPDX-License-Identifier: MIT

/// An actor whose methods run on a loop's thread.
///
///     actor Engine: LoopActor {
///         nonisolated let loop: EventLoop
///         func start() { station = Station(reactor: loop.reactor) }
///     }
package protocol LoopActor: Actor {
    /// Retains the loop, because an actor's executor reference is unowned.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
}
