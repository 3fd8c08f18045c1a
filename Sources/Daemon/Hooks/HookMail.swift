// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A mail about an event.
struct HookMail {
    let address: String
    let event: HookEvent
    let words: HookMessage

    /// `words`: the event in words for people. Nil if the address could be taken for an option or for several
    /// addresses.
    init?(to address: String, about event: HookEvent, _ words: HookMessage) {
        let isPlain = address.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !",;:<>()[]\\\"".utf8.contains($0) }
        guard isPlain, !address.isEmpty, !address.hasPrefix("-"), address.utf8.count <= Self.longestAddress else {
            return nil
        }
        self.address = address
        self.event = event
        self.words = words
    }

    /// The message for `sendmail`, which adds the sender. It holds the event in words, and below that as JSON.
    var message: [UInt8] {
        let fields = [
            "To: \(address)",
            "Subject: \(EncodedWord.encode(words.title, separator: "\n "))",
            "Date: \(CivilTime(event.at.instant, utcOffset: 0).httpDate.dropLast(3))+0000",
            // Mails with this field are not answered by out-of-office replies (RFC 3834).
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            // Mail lines must be ASCII and have a limited length.
            "Content-Transfer-Encoding: base64",
        ]
        let text = "\(words.body)\n\n\(event.json.text(.pretty))"
        return Array((fields.joined(separator: "\n") + "\n\n" + Self.lines(Array(text.utf8).base64) + "\n").utf8)
    }

    private static let longestAddress = 254
    private static let longestLine = 76

    private static func lines(_ encoded: String) -> String {
        let bytes = Array(encoded.utf8)
        let lines = stride(from: 0, to: bytes.count, by: longestLine).map { start in
            String(decoding: bytes[start..<min(start + longestLine, bytes.count)], as: UTF8.self)
        }
        return lines.joined(separator: "\n")
    }
}
