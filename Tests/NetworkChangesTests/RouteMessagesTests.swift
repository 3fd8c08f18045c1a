// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

@testable import NetworkChanges

/// Reading of NETLINK_ROUTE datagrams made by hand.
struct RouteMessagesTests {
    @Test("Links and addresses that come or go are changes", arguments: [16, 17, 20, 21] as [UInt16])
    func interfaces(type: UInt16) {
        #expect(tellOfChange(message(type, body: interface(2))))
        #expect(!tellOfChange(message(type, body: interface(1))), "loopback's own")
        #expect(tellOfChange(message(type, body: [])), "too short to say whose")
    }

    @Test("Routes are changes, except those of the local table", arguments: [24, 25] as [UInt16])
    func routes(type: UInt16) {
        #expect(tellOfChange(message(type, body: route(table: 254))))
        #expect(!tellOfChange(message(type, body: route(table: 255))))
    }

    @Test("Messages of other types are no changes", arguments: [0, 1, 2, 3, 28, 32, 68, UInt16.max])
    func others(type: UInt16) {
        #expect(!tellOfChange(message(type, body: interface(2))))
    }

    @Test("A message about lost messages is a change")
    func overrun() {
        #expect(tellOfChange(message(4, body: [])))
    }

    @Test("Messages after the first are read, at multiples of four bytes")
    func several() {
        let quiet = message(16, body: interface(1) + [0])
        let padding = [UInt8](repeating: 0, count: 3)
        #expect(tellOfChange(quiet + padding + message(24, body: route(table: 254))))
        #expect(!tellOfChange(quiet + padding + quiet))
    }

    @Test("A datagram that was cut short is read by the head of its message")
    func cut() {
        #expect(tellOfChange(Array(message(20, body: interface(2) + [UInt8](repeating: 0, count: 200)).prefix(24))))
    }

    @Test("An impossible message length ends the reading")
    func lengths() {
        let change = message(20, body: interface(2))
        for length in [0, 1, 15, UInt32.max, UInt32.max - 2] {
            var first = message(16, body: interface(1))
            first.replaceSubrange(0..<4, with: bytes(of: length))
            #expect(!tellOfChange(first + change), "\(length)")
        }
    }

    @Test("Random bytes do no harm")
    func anyBytes() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...80, using: &random)
            var datagram = (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
            if Bool.random(using: &random), datagram.count > 4 {
                datagram[0] = UInt8.random(in: 0...80, using: &random)
            }
            _ = tellOfChange(datagram)
        }
    }

    private func tellOfChange(_ datagram: [UInt8]) -> Bool {
        datagram.withUnsafeBytes { RouteMessages.tellOfChange($0) }
    }
}

/// A message with its header: length, type, flags, sequence number and sender.
func message(_ type: UInt16, body: [UInt8]) -> [UInt8] {
    bytes(of: UInt32(16 + body.count)) + bytes(of: type) + [UInt8](repeating: 0, count: 10) + body
}

/// The first bytes of the body of a message about a link or an address.
func interface(_ index: UInt32) -> [UInt8] {
    [0, 0, 0, 0] + bytes(of: index) + [UInt8](repeating: 0, count: 8)
}

/// The first bytes of the body of a message about a route.
func route(table: UInt8) -> [UInt8] {
    [2, 24, 0, 0, table, 0, 0, 0, 0, 0, 0, 0]
}

private func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
}
