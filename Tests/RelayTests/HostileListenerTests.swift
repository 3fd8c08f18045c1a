// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

@testable import Relay

/// Listeners that try to do harm by what they send.
struct HostileListenerTests {
    @Test("F11: A user agent of one letter and thousands of combining marks is cut by its bytes, between scalars")
    func marks() throws {
        let rig = try RelayRig(running: 1)
        let client = rig.reactor.connect(port: rig.port)
        client.send("GET /live HTTP/1.0\r\nUser-Agent: a" + String(repeating: "\u{301}", count: 7000) + "\r\n\r\n")
        rig.reactor.pump { rig.mount.listenerCount == 1 }
        let listener = try #require(rig.mount.listeners().first)
        #expect(listener.agent.utf8.count == 199 && listener.agent.unicodeScalars.last == "\u{301}")
        rig.close()
    }

    @Test("A text is cut at a number of bytes, before the scalar that would exceed it", arguments: 0...9)
    func cuts(limit: Int) {
        let text = "aé€😀z"
        let cut = text.cut(toBytes: limit)
        #expect(cut.utf8.count <= limit && text.unicodeScalars.starts(with: cut.unicodeScalars))
        let next = text.unicodeScalars.dropFirst(cut.unicodeScalars.count).first
        #expect(cut.utf8.count + (next.map { UTF8.width($0) } ?? 1) > limit || cut == text)
    }

    @Test("F12: A listener that uploads is read up to 64 KiB and no further, and still gets its audio")
    func uploads() throws {
        let rig = try RelayRig(running: 10)
        let client = rig.listen()
        let block = [UInt8](repeating: 0x55, count: 64 * 1024)
        var sent = 0
        rig.run(60) {
            for _ in 0..<4 { sent += client.sendWithoutWaiting(block) }
            client.collect()
        }
        // These are the bytes read, and the bytes in the buffers of two sockets that are no longer read.
        #expect(sent < 16 << 20, "\(sent)")
        let listener = try #require(rig.mount.turns.all.first)
        #expect(!listener.isReading)
        #expect(rig.frameNumbers(client.body)?.isUnbroken == true)
        // The client's end is noticed, although nothing is read from it.
        client.close()
        rig.run(3)
        #expect(rig.mount.listenerCount == 0)
    }
}
