// SPDX-License-Identifier: MIT

import Control
import EventLoop
import Glibc
import Instants
import TestTools

/// A player on a real loop, with the requests that it received.
actor PlayerHost: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let requests = Watched<[MPRISRequest]>([])
    private var player: MPRISPlayer?

    /// Code of a test that runs while the bus is being found.
    private let findBus: @Sendable () -> Void

    private init(_ loop: EventLoop, findBus: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.findBus = findBus
    }

    /// Runs `body` with a player that is on the bus at `address`, or tries to connect to it.
    static func with<Result: Sendable>(
        _ address: String?, waitsForName: Bool = true, findBus: @escaping @Sendable () -> Void = {},
        _ body: @Sendable (PlayerHost) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(name: "mpris-test")
        try loop.start()
        defer { loop.shutdown() }
        let host = PlayerHost(loop, findBus: findBus)
        await host.open(address)
        do {
            if waitsForName { try await host.waitForName() }
            let result = try await body(host)
            await host.close()
            return result
        } catch {
            await host.close()
            throw error
        }
    }

    var name: String? { player?.name }

    func update(_ change: @Sendable (inout MPRISState) -> Void) {
        var state = state
        change(&state)
        self.state = state
        player?.update(state)
    }

    /// Sets the position, which moves from now on.
    func move(to position: Duration) {
        let now = loop.reactor.now
        update { $0.position = MPRISPosition(read: position, at: now, isMoving: true) }
    }

    /// The processor time that the loop's thread has used.
    var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private var state = MPRISState()

    func waitForName(_ isWanted: Bool = true) async throws {
        let deadline = Deadline(after: .seconds(20))
        while (name != nil) != isWanted {
            guard !deadline.hasPassed else { throw SetupError("the player has \(name ?? "no name") on the bus") }
            try await onThread { _ = waitUntil(.milliseconds(5)) { false } }
        }
    }

    /// Waits up to 20 s until `count` requests have arrived, and returns all of them in order.
    nonisolated func requests(_ count: Int) async throws -> [MPRISRequest] {
        try await onThread { [requests] in
            _ = requests.wait(within: .seconds(20)) { $0.count >= count ? true : nil }
            return requests.value
        }
    }

    private func open(_ address: String?) {
        let findBus = findBus
        player = MPRISPlayer(
            reactor: loop.reactor,
            findBus: {
                findBus()
                return address
            }, pause: .milliseconds(50)
        ) { [requests] request in requests.change { $0.append(request) } }
    }

    func close() {
        player?.close()
        player = nil
    }
}
