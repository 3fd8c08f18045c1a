// SPDX-License-Identifier: MIT

import CurlClient
import Testing

/// Servers that are hostile or badly broken.
struct HostileServerTests {
    @Test("A14: a megabyte of header is refused") func aMegabyteOfHeaderIsRefused() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nX: ")
            connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
            connection.waitForEnd()
        }
        #expect(outcome.error?.code == .headTooLarge)
        #expect(outcome.heads.isEmpty)
    }

    @Test("A14: ten thousand header lines are refused") func tenThousandHeaderLinesAreRefused() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<10_000 where !connection.send("X-\(number): \(number)\r\n") { break }
            connection.waitForEnd()
        }
        #expect(outcome.error?.code == .headTooLarge)
    }

    @Test func sixtyFourFieldsAreTakenAndOneMoreIsNot() async throws {
        for count in [64, 65] {
            let outcome = try await fetch { connection in
                _ = connection.readHead()
                let fields = (0..<count).map { "X-\($0): \($0)\r\n" }.joined()
                connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n")
            }
            #expect(outcome.error?.code == (count == 64 ? nil : .headTooLarge))
        }
    }

    @Test("A14: informational responses without end are refused")
    func informationalResponsesWithoutEndAreRefused() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
        }
        #expect(outcome.error?.code == .protocolViolation)
    }

    @Test func aServerThatSaysNothingRunsIntoTheDeadline() async throws {
        let outcome = try await fetch(
            from: { connection in
                _ = connection.readHead()
                connection.waitForEnd()
            }, { $0.headTimeout = .milliseconds(100) })
        #expect(outcome.error?.code == .headTimeout)
        #expect(outcome.phases.last == .waitingForHead)
    }

    @Test("A14: a head without end runs into the deadline") func aHeadThatDripsRunsIntoTheDeadline() async throws {
        let outcome = try await fetch(
            from: { connection in
                _ = connection.readHead()
                connection.send("HTTP/1.1 200 OK\r\n")
                while connection.send("X: y\r\n") { usleepBriefly() }
            }, { $0.headTimeout = .milliseconds(20) })
        #expect([.headTimeout, .headTooLarge].contains(outcome.error?.code))
    }

    @Test func aConnectionThatEndsWithoutAnAnswerIsDropped() async throws {
        let outcome = try await fetch { connection in _ = connection.readHead() }
        #expect(outcome.error?.code == .dropped)
    }

    @Test func aResetIsADrop() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\naudio")
            connection.reset()
        }
        #expect(outcome.error?.code == .dropped)
    }

    @Test("A17: a bad chunk is a drop") func aBadChunkIsADrop() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzzz\r\n")
        }
        #expect(outcome.error?.code == .dropped)
        #expect(outcome.text == "abc")
    }

    @Test func aNULInTheHeadIsRefused() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n")
        }
        #expect(outcome.error?.code == .protocolViolation)
    }
}
