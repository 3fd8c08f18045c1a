// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Daemon

struct HookMailTests {
    private func event(_ name: String) -> HookEvent {
        let zone = FixedZone(offset: 3600, identifier: "test")
        var event = HookEvent(.showMissed, at: WallInstant(nanoseconds: 1_795_636_800_000_000_000), in: zone)
        event.station = "x"
        event.stationName = name
        return event
    }

    @Test("A mail has its fields, and the event in words and as JSON") func wholeMail() throws {
        let event = event("Radio Güt")
        let words = HookMessage(title: "Missed Radio Güt", body: "Nothing of Radio Güt was recorded.", tag: "x")
        let mail = try #require(HookMail(to: "me@example.org", about: event, words))
        let parts = String(decoding: mail.message, as: UTF8.self).split(separator: "\n\n", maxSplits: 1)
        #expect(
            parts[0].split(separator: "\n") == [
                "To: me@example.org", "Subject: \(EncodedWord.encode("Missed Radio Güt"))",
                "Date: Wed, 25 Nov 2026 20:00:00 +0000", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            ])
        let expected = Array("\(words.body)\n\n\(event.json.text(.pretty))".utf8)
        #expect(parts[1].filter { $0 != "\n" } == expected.base64)
        #expect(parts[1].split(separator: "\n").allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("Hostile names stay in their field and add none to the mail") func hostileNames() throws {
        for name in ["-f\nBcc: x@example.org\n\n.\n", "\r\n\r\n.\r\n", String(repeating: "ü\nBcc: x\n", count: 500)] {
            let message = try #require(
                HookMail(to: "me@example.org", about: event(name), HookMessage(title: name, body: name, tag: "x"))
            ).message
            let fields = String(decoding: message, as: UTF8.self).prefix { $0 != "\0" }.split(
                separator: "\n\n", maxSplits: 1)[0].split(separator: "\n")
            #expect(message.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
            #expect(fields.filter { !$0.hasPrefix(" ") }.count == 7)
            #expect(fields.allSatisfy { $0.utf8.count <= 200 && $0 != "." && !$0.hasPrefix("Bcc") })
        }
    }

    @Test(
        "An invalid mail address is refused",
        arguments: [
            "", "-f", "-oQ/tmp@example.org", "a@b\nBcc: c@d", "a@b,c@d", "a b@c", "ü@example.org", "\0@b",
            "a@" + String(repeating: "b", count: 300),
        ])
    func invalidAddress(address: String) {
        #expect(HookMail(to: address, about: event("x"), HookMessage(title: "", body: "", tag: "x")) == nil)
    }
}
