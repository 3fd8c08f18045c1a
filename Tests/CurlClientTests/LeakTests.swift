// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Glibc
import Testing

struct LeakTests {
    @Test func twoHundredTransfersLeaveNothingBehind() async {
        // In a process of its own, where no other test takes memory or opens descriptors.
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                connection.send([UInt8](repeating: 1, count: connection.number.isMultiple(of: 3) ? 50_000 : 100_000))
            }
            try await Bench.with { bench in
                // Ended, cut short, cancelled, refused: each leaves its own things to forget.
                func round() async throws {
                    for _ in 0..<10 {
                        _ = await bench.fetch(TransferRequest(url: server.url()))
                        _ = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .body)
                        _ = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .phase(.connecting))
                        _ = await bench.fetch(TransferRequest(url: "http://169.254.1.1/"))
                    }
                }
                for _ in 0..<5 { try await round() }
                let (memory, descriptors) = (residentKilobytes(), openDescriptors())
                for _ in 0..<5 { try await round() }
                let growth = residentKilobytes() - memory
                guard growth < 1024 else { fatalError("memory has grown by \(growth) KiB") }
                // Connections that the server has not closed yet may be in the count of either side.
                guard openDescriptors() <= descriptors + 4 else { fatalError("descriptors are left open") }
            }
        }
    }

    @Test("A14: heads that are bombs cost no memory")
    func headsThatAreBombsCostNoMemory() async {
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
                    // A usual answer: what any transfer takes is no bomb's doing.
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
                _ = await ask(4)
                let memory = peakKilobytes()
                let refused = await ask(20)
                guard refused == 15 else { fatalError("\(refused) of 15 bombs were refused") }
                let growth = peakKilobytes() - memory
                guard growth < 1024 else { fatalError("memory has grown by \(growth) KiB") }
            }
        }
    }

    @Test func aTransferIsFreedAtItsEnd() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\nx")
        }
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

private func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return 4 * (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
}

/// The most that was resident at any time. Not of `getrusage`, where a process begins with what its parent had.
private func peakKilobytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let words = text.split { $0 == " " || $0 == "\t" }
        if words.first == "VmHWM:", words.count > 1 { return Int(words[1]) ?? 0 }
    }
    return 0
}

private func openDescriptors() -> Int {
    (0..<1024).count { fcntl(CInt($0), F_GETFD) != -1 }
}
