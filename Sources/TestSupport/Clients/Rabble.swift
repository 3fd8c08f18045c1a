// SPDX-License-Identifier: MIT

import TestTools

/// A group of badly behaved clients of a server on this machine. One thread runs them; each acts once a second. A
/// client that disconnects, or notices that the server has closed its connection, reconnects. All disconnect when the
/// object is released.
package final class Rabble: Sendable {
    package enum Manner: CaseIterable, Sendable {
        /// The client sends a request with a receive buffer of 8 KiB and never reads.
        case deaf
        /// The client is like ``deaf``, but reads one byte a second.
        case sipping
        /// The client sends its request at one byte a second.
        case dripping
        /// The client disconnects in the middle of its request and reconnects a second later.
        case leaving
        /// The client sends a request head of 1 MiB and disconnects after five seconds.
        case bragging
        /// The client connects and sends nothing.
        case mute
        /// The client connects, sends nothing, and disconnects a second later. The disconnects use FIN and RST
        /// alternately.
        case passing
    }

    /// The results so far.
    package struct Record: Sendable {
        package fileprivate(set) var connects = 0
        package fileprivate(set) var seconds = 0
        /// The number of responses by status code; 0 for a malformed status line.
        package fileprivate(set) var answers: [Int: Int] = [:]
    }

    /// The number of groups that act one after the other within a second, so that the load on the machine is even.
    private static let slices = 25

    private let leaving = Gate()
    private let watched = Watched(Record())
    private let isGone = Watched(false)

    /// Starts clients that connect to a port. `counts` states the number of clients for each manner.
    package init(_ counts: KeyValuePairs<Manner, Int>, port: Int) {
        let manners = counts.flatMap { Array(repeating: $0.key, count: $0.value) }
        startThread("test-rabble") { [leaving, watched, isGone] in
            var clients = manners.map { Rude($0, port: UInt16(truncatingIfNeeded: port)) }
            var slice = 0
            repeat {
                for index in stride(from: slice, to: clients.count, by: Self.slices) { clients[index].act(watched) }
                slice = (slice + 1) % Self.slices
                if slice == 0 { watched.change { $0.seconds += 1 } }
            } while !leaving.wait(within: .seconds(1) / Self.slices)
            clients = []
            isGone.change { $0 = true }
        }
    }

    deinit { leaving.open() }

    package var record: Record { watched.value }

    /// Waits until the condition holds. Returns false on timeout.
    package func hasDone(
        within limit: Duration, _ condition: @escaping @Sendable (Record) -> Bool
    ) async throws -> Bool {
        try await onThread { [watched] in watched.wait(within: limit) { condition($0) ? true : nil } ?? false }
    }

    /// Disconnects all clients.
    ///
    /// - Throws: ``SetupError`` if this takes longer than 60 s.
    package func leave() async throws {
        leaving.open()
        let isGone = try await onThread { [isGone] in isGone.wait(within: .seconds(60)) { $0 ? true : nil } ?? false }
        guard isGone else { throw SetupError("the rabble does not leave") }
    }
}

/// One client of a ``Rabble``.
private struct Rude {
    private let manner: Rabble.Manner
    private let port: UInt16
    private var client: LoopbackClient?
    /// The number of seconds since the client connected.
    private var age = 0
    private var visits = 0
    private var hasAnswer = false

    private static let request = Array("GET /live HTTP/1.1\r\nHost: localhost\r\nUser-Agent: rude\r\n\r\n".utf8)
    private static let bragging =
        Array("GET /live HTTP/1.1\r\n".utf8)
        + Array(
            repeatElement(Array("X-Filler: \(String(repeating: "x", count: 52))\r\n".utf8), count: 1 << 14).joined())

    init(_ manner: Rabble.Manner, port: UInt16) { (self.manner, self.port) = (manner, port) }

    /// Performs the client's actions of one second.
    mutating func act(_ record: Watched<Rabble.Record>) {
        guard let client else { return connect(record) }
        age += 1
        switch manner {
        case .deaf: return
        case .sipping: client.collect(limit: client.received.count + 1)
        case .dripping: client.send([Self.request[min(age, Self.request.count - 1)]])
        case .leaving, .passing: return leave(client)
        case .bragging: if age == 5 { return leave(client.collect()) }
        case .mute: break
        }
        // The limit keeps the client from storing a whole audio stream.
        if manner != .sipping { client.collect(limit: 4096) }
        noteAnswer(client, record)
        if client.end != nil { self.client = nil }
    }

    private mutating func connect(_ record: Watched<Rabble.Record>) {
        let client = LoopbackClient(
            port: port, receiveBuffer: manner == .deaf || manner == .sipping ? 8 * 1024 : nil)
        record.change { $0.connects += 1 }
        switch manner {
        case .deaf, .sipping: client.send(Self.request)
        case .dripping: client.send([Self.request[0]])
        case .leaving: client.send(Array(Self.request.prefix(20)))
        case .bragging: client.send(Self.bragging)
        case .mute, .passing: break
        }
        self.client = client
        (age, hasAnswer) = (0, false)
        visits += 1
    }

    private mutating func leave(_ client: LoopbackClient) {
        if visits % 2 == 0 { client.reset() } else { client.close() }
        self.client = nil
    }

    private mutating func noteAnswer(_ client: LoopbackClient, _ record: Watched<Rabble.Record>) {
        guard !hasAnswer, client.received.count >= 12 else { return }
        hasAnswer = true
        let status = client.text.prefix(12).split(separator: " ").last.flatMap { Int($0) }
        record.change { $0.answers[status ?? 0, default: 0] += 1 }
    }
}
