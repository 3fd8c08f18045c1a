// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import TestTools
import Testing

struct LeakTests {
    @Test("Many transfers leave no memory and no descriptors behind") func twoHundredTransfers() async {
        // The test runs in its own process, where no other test allocates memory or opens descriptors.
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { connection in
                connection.answer("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                connection.send([UInt8](repeating: 1, count: connection.number.isMultiple(of: 3) ? 50_000 : 100_000))
            }
            try await Bench.with { bench in
                // Transfers that end, are cut short, cancelled or refused: each kind has its own state to free.
                func round() async throws {
                    for _ in 0..<10 {
                        _ = await bench.fetch(TransferRequest(url: server.url()))
                        _ = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .body)
                        _ = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .phase(.connecting))
                        _ = await bench.fetch(TransferRequest(url: "http://169.254.1.1/"))
                    }
                }
                for _ in 0..<5 { try await round() }
                let (before, descriptors) = (try #require(ProcessStatus()), ProcessStatus.openDescriptors)
                for _ in 0..<5 { try await round() }
                let growth = try #require(ProcessStatus()).anonymousMemory - before.anonymousMemory
                #expect(growth < 1 << 20, "\(growth) bytes")
                // Either count may include connections that the server has not closed yet.
                #expect(ProcessStatus.openDescriptors <= descriptors + 4)
            }
        }
    }

    @Test("A14: Oversized heads cost no memory")
    func bombs() async {
        await #expect(processExitsWith: .success) {
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                switch connection.number % 4 {
                case 0:
                    connection.send("HTTP/1.1 200 OK\r\nX: ")
                    connection.send(line)
                case 1:
                    connection.send("HTTP/1.1 200 OK\r\n")
                    for number in 0..<10_000 where !connection.send("X-\(number): \(number)\r\n") { break }
                case 2:
                    while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
                default:
                    // A usual answer among the oversized heads, because any transfer takes this much memory.
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n")
                    connection.send(line)
                }
            }
            try await Bench.with { bench in
                func ask(_ count: Int) async -> Int {
                    var refused = 0
                    for _ in 0..<count {
                        var request = TransferRequest(url: server.url())
                        request.receiveBuffer = 512 * 1024
                        if await bench.fetch(request).error != nil { refused += 1 }
                    }
                    return refused
                }
                _ = await ask(20)
                // The allocator's reserve depends on the machine's load, and may grow in one or two of the rounds. The
                // memory that an oversized head costs would show in every round.
                var growths: [Int] = []
                for _ in 0..<3 {
                    let before = try #require(ProcessStatus())
                    #expect(await ask(20) == 15, "each bomb is refused, and nothing else")
                    growths.append(try #require(ProcessStatus()).peakMemory - before.peakMemory)
                }
                #expect(try #require(growths.min()) < 1 << 20, "\(growths) bytes")
            }
        }
    }

    @Test("A transfer is freed after its end") func freedAtEnd() async throws {
        let server = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\nx")
        defer { server.stop() }
        try await Bench.with { bench in
            let isFreed = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                bench.loop.post {
                    let listener = Listener { listener, moment, _ in
                        guard moment == .end else { return }
                        bench.loop.post { continuation.resume(returning: listener.transfer == nil) }
                    }
                    _ = bench.client?.start(TransferRequest(url: server.url()), delegate: listener)
                }
            }
            #expect(isFreed)
        }
    }
}
