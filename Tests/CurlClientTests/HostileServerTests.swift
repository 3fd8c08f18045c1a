// SPDX-License-Identifier: MIT

import CurlClient
import Testing

/// Servers that are hostile or badly broken.
struct HostileServerTests {
    @Test("A14: A megabyte of header is refused") func megabyteHeader() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 200 OK\r\nX: ")
            connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
            connection.waitForEnd()
        }
        #expect(outcome.error?.code == .headTooLarge && outcome.heads.isEmpty)
    }

    @Test("A14: Ten thousand header lines are refused") func manyHeaderLines() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 200 OK\r\n")
            for number in 0..<10_000 where !connection.send("X-\(number): \(number)\r\n") { break }
            connection.waitForEnd()
        }
        #expect(outcome.error?.code == .headTooLarge)
    }

    @Test("A head with 64 fields is accepted, and one with 65 is refused") func fieldLimit() async throws {
        for count in [64, 65] {
            let outcome = try await fetch { connection in
                _ = connection.readHead()
                let fields = (0..<count).map { "X-\($0): \($0)\r\n" }.joined()
                connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n")
            }
            #expect(outcome.error?.code == (count == 64 ? nil : .headTooLarge))
        }
    }

    @Test("A14: Endless informational responses are refused")
    func endlessInformational() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
        }
        #expect(outcome.error?.code == .protocolViolation)
    }

    @Test("A server that sends nothing runs into the head timeout") func silentServer() async throws {
        let outcome = try await fetch(
            from: { connection in
                _ = connection.readHead()
                connection.waitForEnd()
            }, { $0.headTimeout = .milliseconds(100) })
        #expect(outcome.error?.code == .headTimeout && outcome.phases.last == .waitingForHead)
    }

    @Test("A14: A head without an end runs into the deadline") func drippingHead() async throws {
        let outcome = try await fetch(
            from: { connection in
                connection.answer("HTTP/1.1 200 OK\r\n")
                while connection.send("X: y\r\n") { usleepBriefly() }
            }, { $0.headTimeout = .milliseconds(20) })
        #expect([.headTimeout, .headTooLarge].contains(outcome.error?.code))
    }

    @Test("A connection that ends without an answer is reported as dropped") func noAnswer() async throws {
        let outcome = try await fetch { connection in _ = connection.readHead() }
        #expect(outcome.error?.code == .dropped)
    }

    @Test("A reset connection is reported as dropped") func reset() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 200 OK\r\n\r\naudio")
            connection.reset()
        }
        #expect(outcome.error?.code == .dropped)
    }

    @Test("A17: A malformed chunk is reported as a dropped connection") func badChunk() async throws {
        let outcome = try await fetch(
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzzz\r\n")
        #expect(outcome.error?.code == .dropped && outcome.text == "abc")
    }
}
