// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestTools
import Testing

struct LifecycleTests {
    @Test("Calls queued before a shutdown still run") func queuedAtShutdown() throws {
        let ran = Watched(0)
        let loop = try EventLoop()
        for _ in 0..<10_000 { loop.post { ran.change { $0 += 1 } } }
        try loop.start()
        loop.shutdown()
        #expect(ran.value == 10_000)
    }

    @Test("A call queued by the last call still runs at a shutdown") func queuedByLast() throws {
        let ran = Watched(0)
        let loop = try EventLoop()
        @Sendable func chain(_ left: Int) {
            ran.change { $0 += 1 }
            if left > 0 { loop.post { chain(left - 1) } }
        }
        try loop.start()
        loop.post { chain(5000) }
        loop.shutdown()
        #expect(ran.value == 5001)
    }

    @Test("Calls deferred before a shutdown still run") func deferredAtShutdown() throws {
        let ran = Watched(false)
        let loop = try EventLoop()
        try loop.start()
        loop.post { loop.reactor.defer { loop.reactor.defer { ran.change { $0 = true } } } }
        loop.shutdown()
        #expect(ran.value)
    }

    @Test("No timer fires after a shutdown") func noTimerFires() throws {
        let fired = Watched(false)
        let loop = try EventLoop()
        try loop.start()
        loop.post {
            loop.shutdown()
            let keeper = Keeper()
            let timer = loop.reactor.makeTimer { fired.change { $0 = true } }
            keeper.timers.append(timer)
            timer.arm(at: loop.reactor.now)
            @Sendable func spin(_ left: Int) { if left > 0 { loop.post { spin(left - 1) } } }
            spin(100)
            loop.post { keeper.timers = [] }
        }
        loop.shutdown()
        #expect(!fired.value)
    }

    @Test("A loop that never ran runs its queue in shutdown") func neverRun() throws {
        let ran = Watched(false)
        let loop = try EventLoop()
        loop.post { ran.change { $0 = loop.isOnLoop } }
        loop.shutdown()
        #expect(ran.value)
    }

    @Test("A loop run on the caller's thread returns after a shutdown") func callersThread() throws {
        let thread = Watched<pthread_t?>(nil)
        let loop = try EventLoop()
        loop.post {
            thread.change { $0 = pthread_self() }
            loop.shutdown()
        }
        loop.run()
        #expect(thread.value == pthread_self())
        #expect(!loop.isOnLoop)
    }

    @Test("Shutdown may be called repeatedly and from many threads") func repeatedShutdown() async throws {
        let loop = try EventLoop()
        try loop.start()
        try await atOnce(0..<8) { _ in try await onThread { loop.shutdown() } }
        loop.shutdown()
    }

    @Test("An await in progress at a shutdown completes") func awaitAtShutdown() async throws {
        actor Resident: LoopActor {
            nonisolated let loop: EventLoop
            init(loop: EventLoop) { self.loop = loop }
            func shutdownAndAnswer(_ other: Resident) async -> Int {
                loop.shutdown()
                return await other.answer()
            }
            func answer() -> Int { 42 }
        }
        let loop = try EventLoop()
        try loop.start()
        let (one, other) = (Resident(loop: loop), Resident(loop: loop))
        #expect(await one.shutdownAndAnswer(other) == 42)
        loop.shutdown()
    }

    @Test("A post after a shutdown traps in debug builds and is dropped in release builds") func latePost() async {
        #if DEBUG
            await #expect(processExitsWith: .failure) { try postLate() }
        #else
            await #expect(processExitsWith: .success) { try postLate() }
        #endif
    }

    @Test("The thread has the loop's name") func threadName() async throws {
        let name = try await withLoop("aircheck-loop") { loop in
            await loop.call { _ in
                var bytes = [CChar](repeating: 0, count: 16)
                readThreadName(&bytes)
                return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        #expect(name == "aircheck-loop")
    }

    @Test("A thousand loops leave no memory and no descriptors behind") func aThousandLoops() async {
        // The test runs in its own process, where no other test allocates memory or opens descriptors.
        await #expect(processExitsWith: .success) {
            for _ in 0..<100 { try liveOnce() }
            let (before, descriptors) = (try #require(ProcessStatus()), ProcessStatus.openDescriptors)
            for _ in 0..<1000 { try liveOnce() }
            let growth = try #require(ProcessStatus()).anonymousMemory - before.anonymousMemory
            #expect(growth < 1 << 20, "\(growth) bytes")
            #expect(ProcessStatus.openDescriptors == descriptors)
        }
    }
}

/// Makes a loop that does a little of everything, and shuts it down.
private func liveOnce() throws {
    let loop = try EventLoop()
    try loop.start()
    loop.post {
        let timer = loop.reactor.makeTimer {}
        timer.arm(at: loop.reactor.now + .seconds(60))
        loop.reactor.defer { withExtendedLifetime(timer) {} }
    }
    loop.shutdown()
}

@Sendable private func postLate() throws {
    let loop = try EventLoop()
    loop.shutdown()
    loop.post {}
}

/// Reads the name of the calling thread from a file, because Swift does not import `prctl`, which is variadic.
private func readThreadName(_ bytes: inout [CChar]) {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return }
    defer { fclose(file) }
    _ = fgets(&bytes, CInt(bytes.count), file)
    if let end = bytes.firstIndex(of: 10) { bytes[end] = 0 }
}
