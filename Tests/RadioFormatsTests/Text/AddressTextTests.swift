// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Addresses as people write them, and what others may see of them.
struct AddressTextTests {
    @Test(
        "An address is shown without user, password, query and fragment",
        arguments: [
            ("http://host/live", "http://host/live"),
            ("http://user:pass@host/live", "http://host/live"),
            ("http://user:p@ss@host/live", "http://host/live"),
            ("HTTPS://User:Pass@Host/Live?Token=x", "HTTPS://Host/Live"),
            ("https://host:8000/live?token=x#y", "https://host:8000/live"),
            ("http://host?token=x", "http://host"),
            ("http://host#x@y", "http://host"),
            ("http://host/a@b", "http://host/a@b"),
            ("http://host:8000/@me/live", "http://host:8000/@me/live"),
            ("http://host/a?u=x@y", "http://host/a"),
            ("user:pass@host/live", "host/live"),
            ("user:p/w@host/live", "host/live"),
            ("http:/user:pass@host/live", "host/live"),
            ("http:///user:pass@host/live", "http://host/live"),
            ("http://user:pa/ss@host/live", "http://host/live"),
            ("http://user:pa?ss@host/live?q", "http://host/live"),
            ("http://user:pa#ss@host/live#q", "http://host/live"),
            ("http://me@mail.example:pa/ss@host/live", "http://host/live"),
            ("http://user%3Apass%40host/live", "http://host/live"),
            ("http://user:p%40ss@host/a%40b%3Fc", "http://host/a%40b%3Fc"),
            ("http://[::1]:8000/live@x", "http://[::1]:8000/live@x"),
            ("http://user@[::1]/", "http://[::1]/"),
            ("http://u:p@[fe80::1%25eth0]:80/x?y", "http://[fe80::1%25eth0]:80/x"),
            ("http://[user:pa/ss@host/live", "http://host/live"),
            ("file:///music/a@b.mp3", "file:///music/a@b.mp3"),
            ("/music/a@b.mp3", "/music/a@b.mp3"),
            ("http://user:pass@", "http://"),
            ("http://host/\r\nx", "http://host/??x"),
            ("", ""), ("@", ""), ("://", "://"), ("?", ""),
        ])
    func redacted(_ text: String, _ expected: String) {
        #expect(AddressText(text).redacted == expected)
    }

    @Test("No part of a user, a password, a query or a fragment is shown, and all the rest is")
    func secrets() {
        var random = SplitMix64(seed: 1)
        func any(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
        for _ in 0..<20_000 {
            let scheme = any(["http://", "HTTP://", "https://", "hTTps://", "icyx://", ""])
            let user = any([
                "", "SECRET@", "SECRET:SECRET@", "SECRET:p@SECRET@", "SECRET@mail.example:SECRET@", "SECRET%40",
                "SECRET%3ASECRET%40", ":SECRET@", "SECRET:SEC/SECRET@", "SECRET:a?SECRET@", "SECRET:a#SECRET@",
            ])
            let host = any(["host.example", "HOST", "127.0.0.1", "[::1]", "[2001:db8::A]", "h\u{fc}st"])
            let path = any(["", "/", "/live", "/a@b", "/%2F%40x", "/a:b/c", "/\u{65e5}\u{672c}", "//x"])
            let rest = any(["", "?token=SECRET", "#SECRET", "?SECRET@x#SECRET/", "??SECRET", "#?SECRET"])
            let port = any(["", ":8000"])
            let text = scheme + user + host + port + path + rest
            let redacted = AddressText(text).redacted
            #expect(!redacted.contains("SEC"), "\(text)")
            // If a password contains a slash, it is unclear which later `@` ends the password.
            let isClear = !user.contains { "/?#".contains($0) } || !(path + rest).contains { "@%".contains($0) }
            #expect(!isClear || redacted == scheme + host + port + path, "\(text)")
            #expect(AddressText(text).isAddress == !scheme.isEmpty, "\(text)")
        }
    }

    @Test("Any bytes can be redacted, and a second redaction changes nothing")
    func anything() {
        var random = SplitMix64(seed: 2)
        let signs = Array("aZ7:/?#@[]%40.&= -\\\u{0}\u{7f}".utf8) + [0x80, 0xc3, 0xff]
        for _ in 0..<50_000 {
            let count = Int.random(in: 0...24, using: &random)
            var bytes = (0..<count).map { _ in signs.randomElement(using: &random) ?? 0 }
            if Bool.random(using: &random) { bytes = Array("http://".utf8) + bytes }
            let text = String(decoding: bytes, as: UTF8.self)
            let redacted = AddressText(text).redacted
            #expect(!redacted.utf8.contains { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "#") })
            // A control character is shown as a question mark, at which a second redaction would cut.
            guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { continue }
            #expect(AddressText(redacted).redacted == redacted, "\(text)")
            #expect(!redacted.utf8.contains(UInt8(ascii: "?")))
            let identity = AddressText(text).identity
            #expect(!identity.utf8.contains(UInt8(ascii: "#")))
            #expect(AddressText(identity).identity == identity, "\(text)")
        }
    }

    @Test("An address begins with a scheme, a path does not")
    func schemes() {
        for text in ["http://a", "HTTP://a", "mms://", "x-y+z.1://a", "http://u:p@[::1]/?a://b"] {
            #expect(AddressText(text).isAddress, "\(text)")
        }
        for text in [
            "", "-", "/music/http://a", "./http://a", "a.mp3", "C:/music", "http:/a", "http", "://a", "1a://b",
            "a b://c", "u:p@http://a", "\u{e9}://a",
        ] {
            #expect(!AddressText(text).isAddress, "\(text)")
        }
    }

    @Test("The identity of an address leaves out credentials, tokens and times")
    func identity() {
        func identity(_ text: String) -> String { AddressText(text).identity }
        #expect(identity("https://me:pw@A.example/x.mp3?id=7&token=abc#t=5") == "https://a.example/x.mp3?id=7")
        #expect(identity("http://a.example/x?utm_source=y&Expires=5&X-Amz-Signature=1") == "http://a.example/x")
        #expect(identity("HTTP://A.example/X") == "http://a.example/X")
        #expect(identity("http://u:p@s@a.example/x") == identity("http://a.example/x"))
        #expect(identity("http://a.example/play?id=1") != identity("http://a.example/play?id=2"))
    }
}
