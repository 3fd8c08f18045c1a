// SPDX-License-Identifier: MIT

import EventLoop

/// Runs `body` with a loop on its own thread, and shuts the loop down whatever happens.
func withLoop<Result>(_ name: String = "test", _ body: (EventLoop) async throws -> Result) async throws -> Result {
    let loop = try EventLoop(name: name)
    try loop.start()
    defer { loop.shutdown() }
    return try await body(loop)
}

/// Runs `body` on a loop with its own thread, and returns what `body` passes to its function.
func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (any Reactor, @escaping (Result) -> Void) -> Void
) async throws -> Result {
    try await withLoop { await $0.wait(body) }
}

extension EventLoop {
    /// Runs `body` on the loop and returns its result.
    func call<Result: Sendable>(_ body: @escaping @Sendable (any Reactor) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            post { continuation.resume(returning: body(self.reactor)) }
        }
    }

    /// Runs `body` on the loop, and returns when `body` calls the function passed to it.
    func wait<Result: Sendable>(
        _ body: @escaping @Sendable (any Reactor, @escaping (Result) -> Void) -> Void
    ) async -> Result {
        await withCheckedContinuation { continuation in
            post { body(self.reactor) { continuation.resume(returning: $0) } }
        }
    }
}

/// Keeps timers and watches of the loop alive as long as a test needs them: their handlers capture the keeper.
///
/// Sound although not Sendable by itself: each test touches its keeper on one thread only, that of the loop.
final class Keeper: @unchecked Sendable {
    var timers: [any ReactorTimer] = []
    var sockets: [any SocketWatch] = []
    var signals: [any SignalWatch] = []
    var log: [String] = []
}
