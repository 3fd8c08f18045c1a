// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Testing

/// An actor whose executor is the loop, as the engine's is.
private actor Resident: LoopActor {
    nonisolated let loop: EventLoop
    private(set) var count = 0
    private var keeper = Keeper()

    init(loop: EventLoop) { self.loop = loop }

    func increment() { count += 1 }

    func isOnLoop() -> Bool { loop.isOnLoop }

    /// Enters the actor's isolation from a libevent callback, of which the Swift runtime knows nothing.
    func incrementFromTimer(then done: @escaping @Sendable () -> Void) {
        let timer = loop.reactor.makeTimer { [unowned self] in
            enterFromCallback(self, then: done)
        }
        keeper.timers.append(timer)
        timer.arm(at: loop.reactor.now)
    }

    func visit(_ other: Resident) async -> Bool {
        await other.increment()
        return loop.isOnLoop
    }
}

/// A plain function outside every actor, as a C callback is.
private nonisolated func enterFromCallback(_ actor: Resident, then done: @Sendable () -> Void) {
    actor.assumeIsolated { $0.increment() }
    done()
}

extension Resident {
    fileprivate nonisolated func assumedCount() -> Int { assumeIsolated { $0.count } }
}

struct ExecutorTests {
    @Test("An actor runs on its loop") func actorOnLoop() async throws {
        try await withLoop { loop in
            let actor = Resident(loop: loop)
            #expect(await actor.isOnLoop())
            #expect(!loop.isOnLoop)
        }
    }

    @Test("An actor's assumeIsolated holds in a C callback of its loop") func assumeInCallback() async throws {
        try await withLoop { loop in
            let actor = Resident(loop: loop)
            await withCheckedContinuation { continuation in
                Task { await actor.incrementFromTimer { continuation.resume() } }
            }
            #expect(await actor.count == 1)
        }
    }

    @Test("An actor's assumeIsolated holds in a call posted to its loop") func assumeInPost() async throws {
        try await withLoop { loop in
            let actor = Resident(loop: loop)
            await actor.increment()
            #expect(await loop.call { _ in actor.assumedCount() } == 1)
        }
    }

    @Test("An actor's assumeIsolated traps outside its loop") func assumeElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            try loop.start()
            _ = Resident(loop: loop).assumedCount()
        }
    }

    @Test("Access to the reactor traps outside the loop") func reactorElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            try loop.start()
            _ = loop.reactor
        }
    }

    @Test("Actors of one loop call each other on it") func actorsOfOneLoop() async throws {
        try await withLoop { loop in
            let (one, other) = (Resident(loop: loop), Resident(loop: loop))
            for _ in 0..<1000 { #expect(await one.visit(other)) }
            #expect(await other.count == 1000)
        }
    }

    @Test("An await goes to another actor's loop and back") func awaitAcrossLoops() async throws {
        try await withLoop("one") { first in
            try await withLoop("other") { second in
                let (one, other) = (Resident(loop: first), Resident(loop: second))
                for _ in 0..<1000 { #expect(await one.visit(other)) }
                #expect(await other.count == 1000)
            }
        }
    }

    @Test("The jobs of many tasks all run") func manyTasks() async throws {
        try await withLoop { loop in
            let actor = Resident(loop: loop)
            await withTaskGroup { group in
                for _ in 0..<10_000 { group.addTask { await actor.increment() } }
            }
            #expect(await actor.count == 10_000)
        }
    }
}
