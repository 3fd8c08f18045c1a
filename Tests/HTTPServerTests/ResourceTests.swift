// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import Platform
import TestSupport
import TestTools
import Testing

/// Resources that clients use. Each test runs in its own process, because descriptors and memory are process-wide.
@Suite struct ResourceTests {
    @Test("F2: Without free descriptors some clients are refused, nothing spins, and the server recovers")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            fillGaps()
            let site = try Site()
            // The clients connect first, so they are already waiting when the server finds that it can have only a few
            // more descriptors.
            let clients = (0..<120).map { _ in LoopbackClient(port: site.port) }
            for client in clients { client.send("GET /stream HTTP/1.0\r\n\r\n") }
            let lowestFree = fcntl(0, F_DUPFD, 0)
            close(lowestFree)
            let places = 20
            let limit = lowestFree + CInt(places)
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limits)
            site.reactor.drain()
            let answers = clients.map { $0.collect().status }
            try require(answers.count { $0 == 200 } == places, "\(places) have descriptors")
            try require(answers.count { $0 == 503 } == 50, "50 are told")
            let waiting = answers.count { $0 == nil }
            try require(waiting == clients.count - places - 50, "the others wait")
            // The server does not accept for a while, so waiting clients cause no work.
            var turns = 0
            site.reactor.pump {
                turns += 1; return turns == 100
            }
            try require(clients.count { $0.collect().status == nil } == waiting, "the others still wait")
            // The server accepts again, and refuses them.
            for _ in 0..<2 {
                site.reactor.advance(by: .seconds(1))
                site.reactor.drain()
            }
            try require(clients.allSatisfy { $0.collect().status != nil }, "nobody waits")
            for client in clients { client.close() }
            site.closeStreams()
            site.reactor.advance(by: .milliseconds(200))
            try require(site.get("/hello").status == 200, "all is well")
            site.close()
        }
    }

    @Test("F2: New connections leave descriptors for stations and files")
    func lastDescriptors() async {
        await #expect(processExitsWith: .success) {
            fillGaps()
            let lowestFree = fcntl(0, F_DUPFD, 0)
            close(lowestFree)
            let limit = rlim_t(lowestFree + 200)
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limits)
            let site = try Site()
            let clients = (0..<150).map { _ in LoopbackClient(port: site.port) }
            for client in clients { client.send("GET /stream HTTP/1.0\r\n\r\n") }
            for _ in 0..<5 {
                site.reactor.drain()
                site.reactor.advance(by: .seconds(1))
            }
            let answers = clients.map { $0.collect().status }
            try require(answers.count { $0 == 200 } > 20, "some are served")
            try require(answers.allSatisfy { $0 == 200 || $0 == 503 }, "the others are told so")
            let files = (0..<15).map { _ in open("/dev/null", O_RDONLY) }
            try require(files.allSatisfy { $0 >= 0 }, "there are descriptors left")
            for file in files { close(file) }
            for client in clients { client.close() }
            site.closeStreams()
            site.close()
        }
    }

    @Test("F6: Ten thousand short connections leave no descriptors and no memory behind")
    func comingAndGoing() async {
        await #expect(processExitsWith: .success) {
            let site = try Site()
            func round(_ count: Int) throws {
                for _ in 0..<(count / 50) {
                    let clients = (0..<50).map { _ in LoopbackClient(port: site.port) }
                    for (number, client) in clients.enumerated() where number % 2 == 0 {
                        client.send(number % 4 == 0 ? "GET /hello HTTP/1.0\r\n\r\n" : "GET /secret HTTP/1.0\r\n\r\n")
                    }
                    site.reactor.drain()
                    for (number, client) in clients.enumerated() { number % 3 == 0 ? client.reset() : client.close() }
                    site.reactor.drain()
                }
                try require(site.service.connectionCount == 0, "the live set is empty")
            }
            try round(2000)
            let descriptors = ProcessStatus.openDescriptors
            let memory = ProcessStatus()?.anonymousMemory ?? 0
            try round(10_000)
            try require(ProcessStatus.openDescriptors == descriptors, "no descriptor is left open")
            let growth = (ProcessStatus()?.anonymousMemory ?? .max) - memory
            try require(growth < 1 << 20, "memory is flat, not \(growth) bytes more")
            site.close()
        }
    }

    @Test("F6: Large headers and connections without a request are bounded in memory and time")
    func bombs() async {
        await #expect(processExitsWith: .success) {
            let site = try Site()
            let field = "X: " + String(repeating: "a", count: 5000)
            let beginning = Array("GET / HTTP/1.0\r\n\(field)\r\n\(field)\r\n\(field)".utf8)
            var clients: [LoopbackClient] = []
            func hold(_ count: Int) {
                clients += (0..<count).map { _ in LoopbackClient(port: site.port) }
                for client in clients.suffix(count) { client.send(beginning) }
                site.reactor.drain()
            }
            // Memory that only the first heads cost is not counted.
            hold(100)
            let before = ProcessStatus()?.anonymousMemory ?? 0
            hold(300)
            let growth = (ProcessStatus()?.anonymousMemory ?? .max) - before
            try require(site.service.connectionCount == clients.count, "they are waited for")
            try require(growth < 300 * 20 * 1024, "\(growth) bytes for 300 heads")
            let bomb = LoopbackClient(port: site.port)
            bomb.send("GET / HTTP/1.0\r\n")
            for _ in 0..<64 {
                bomb.send([UInt8](repeating: 65, count: 16 * 1024))
                site.reactor.drain()
            }
            bomb.finishSending()
            site.reactor.pump { bomb.collect().end != nil }
            try require(bomb.status == 431, "a megabyte is refused")
            site.reactor.advance(by: .seconds(10))
            try require(site.service.connectionCount == 0, "the live set is empty")
            site.close()
        }
    }

    @Test("F22: A file is open only while it is sent, whatever its client does")
    func files() async {
        await #expect(processExitsWith: .success) {
            let site = try Site()
            let folder = try TemporaryFolder()
            try folder.write("file", [UInt8](repeating: 7, count: 4 << 20))
            site.serveFiles(of: folder)
            let path = folder.file("file")
            site.service.router.add("/kept", [.get]) { exchange in
                // The exchange is answered already, so the file is never sent.
                let response = HTTPFile(path: path).map { HTTPRepresentation($0).response(to: exchange.request.head) }
                exchange.respond(HTTPResponse(.ok))
                exchange.respond(response ?? HTTPResponse(.notFound))
            }
            let before = ProcessStatus.openDescriptors
            for round in 0..<100 {
                let client = LoopbackClient(port: site.port)
                let (method, path) = (round % 5 == 0 ? "HEAD" : "GET", round % 7 == 0 ? "/kept" : "/files/file")
                client.send("\(method) \(path) HTTP/1.0\r\n\r\n")
                site.reactor.drain()
                if round % 3 == 0 { site.reactor.pump { client.collect().end != nil } }
                round % 2 == 0 ? client.reset() : client.close()
                site.reactor.drain()
            }
            site.reactor.pump { site.service.connectionCount == 0 }
            try require(site.service.connectionCount == 0, "the live set is empty")
            try require(ProcessStatus.openDescriptors == before, "no descriptor is left open")
            let kept = HTTPFile(path: path)
            try require(kept != nil && ProcessStatus.openDescriptors == before, "nor of a file that is not sent yet")
            for _ in 0..<3 { _ = HTTPFile(path: "/") }
            try require(ProcessStatus.openDescriptors == before, "nor of what is no file")
            let client = LoopbackClient(port: site.port)
            client.send("GET /files/file HTTP/1.0\r\n\r\n")
            site.reactor.drain()
            site.close()
            client.close()
            try require(ProcessStatus.openDescriptors < before, "a server that is closed has closed its files")
        }
    }

    @Test("A stream takes little memory in the server") func memoryOfStream() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let crowd = CrowdedService()
            loop.post { crowd.begin(loop) }
            loop.run()
            try require(crowd.streams == crowd.count, "\(crowd.streams) streams of \(crowd.count)")
            // A stream needs memory for the socket, its watch, libevent's event and libevent's record of the
            // descriptor. That is half of the memory for a listener.
            try require(crowd.bytesEach < 512, "\(crowd.bytesEach) bytes a stream")
        }
    }
}

private struct Unmet: Error, CustomStringConvertible {
    let description: String
}

/// Ends the process of an exit test unless the condition holds, and says why.
private func require(_ condition: Bool, _ what: String) throws {
    guard condition else { throw Unmet(description: what) }
}

/// Fills the gaps between the descriptors that an exit test has inherited, so that new descriptors have consecutive
/// numbers above them.
private func fillGaps() {
    let highest = (0..<CInt(DescriptorLimit.current)).last { fcntl($0, F_GETFD) != -1 } ?? 0
    while (0..<highest).contains(open("/dev/null", O_RDONLY)) {}
}
