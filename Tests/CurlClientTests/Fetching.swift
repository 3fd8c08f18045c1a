// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Synchronization

/// What one transfer reported to its delegate.
struct Outcome: Sendable {
    var phases: [TransferPhase] = []
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var deliveries = 0
    var error: TransferError?
    /// Whether bytes were delivered while the transfer was paused.
    var cameWhilePaused = false

    var head: ResponseHead? { heads.first }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A delegate that records every call, and runs a test's closure in each of them.
///
/// Sound although not Sendable by itself: used on the loop only.
final class Listener: TransferDelegate, @unchecked Sendable {
    enum Moment: Equatable {
        case phase(TransferPhase), head, body, end
    }

    private(set) var outcome = Outcome()
    var isPaused = false
    /// A counter for the closures of tests.
    var count = 0
    private(set) weak var transfer: (any HTTPTransfer)?
    private let act: (Listener, Moment, any HTTPTransfer) -> Void

    init(_ act: @escaping (Listener, Moment, any HTTPTransfer) -> Void) { self.act = act }

    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {
        self.transfer = transfer
        outcome.phases.append(phase)
        act(self, .phase(phase), transfer)
    }

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        outcome.heads.append(head)
        act(self, .head, transfer)
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        outcome.body.append(contentsOf: bytes)
        outcome.deliveries += 1
        if isPaused { outcome.cameWhilePaused = true }
        act(self, .body, transfer)
    }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        outcome.error = error
        act(self, .end, transfer)
    }
}

/// A loop with a client on it. Sound although not Sendable by itself: `client` is used on the loop only.
final class Bench: @unchecked Sendable {
    let loop: EventLoop
    private(set) var client: CurlClient?

    private init() throws { loop = try EventLoop(name: "curl-test") }

    /// Runs `body` with a client on a running loop, and shuts both down.
    static func with<Result>(
        reach: @escaping @Sendable (PeerAddress) -> PeerAddress.Reach = { $0.reach },
        _ body: (Bench) async throws -> Result
    ) async throws -> Result {
        let bench = try Bench()
        try bench.loop.start()
        bench.loop.post { bench.client = CurlClient(reactor: bench.loop.reactor, reach: reach) }
        defer {
            bench.loop.post {
                bench.client?.close()
                bench.client = nil
            }
            bench.loop.shutdown()
        }
        return try await body(bench)
    }

    /// Runs one request; `act` may interfere at each moment.
    func fetch(
        _ request: TransferRequest,
        _ act: @escaping @Sendable (Listener, Listener.Moment, any HTTPTransfer) -> Void = { _, _, _ in }
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            loop.post {
                let listener = Listener { listener, moment, transfer in
                    act(listener, moment, transfer)
                    if moment == .end { continuation.resume(returning: listener.outcome) }
                }
                _ = self.client?.start(request, delegate: listener)
            }
        }
    }

    /// Runs one request and cancels it when `moment` first occurs. Returns the outcome two loop turns later, or nil if
    /// a call followed the cancellation.
    func fetchCancelling(_ request: TransferRequest, at moment: Listener.Moment) async -> Outcome? {
        await withCheckedContinuation { continuation in
            loop.post {
                let listener = Listener { listener, now, transfer in
                    // The count is 1 after the cancellation, and higher if a call followed it.
                    if listener.count > 0 { listener.count += 1 }
                    guard now == moment, listener.count == 0 else { return }
                    listener.count = 1
                    transfer.cancel()
                    self.loop.post {
                        self.loop.post { continuation.resume(returning: listener.count > 1 ? nil : listener.outcome) }
                    }
                }
                _ = self.client?.start(request, delegate: listener)
            }
        }
    }
}

/// Runs one request with its own client.
func fetch(
    _ request: TransferRequest,
    _ act: @escaping @Sendable (Listener, Listener.Moment, any HTTPTransfer) -> Void = { _, _, _ in }
) async throws -> Outcome {
    try await Bench.with { await $0.fetch(request, act) }
}

/// Runs one request to a server with this script.
func fetch(
    from script: @escaping @Sendable (ScriptedServer.Connection) -> Void,
    _ change: (inout TransferRequest) -> Void = { _ in }
) async throws -> Outcome {
    try await fetch(from: try ScriptedServer(script), change)
}

/// Runs one request to a server that answers with this text.
func fetch(answer: String, _ change: (inout TransferRequest) -> Void = { _ in }) async throws -> Outcome {
    try await fetch(from: try ScriptedServer(answer: answer), change)
}

private func fetch(from server: ScriptedServer, _ change: (inout TransferRequest) -> Void) async throws -> Outcome {
    defer { server.stop() }
    var request = TransferRequest(url: server.url())
    change(&request)
    return try await fetch(request)
}
