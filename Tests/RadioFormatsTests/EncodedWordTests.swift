// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct EncodedWordTests {
    @Test("Bytes are encoded as base64") func base64() {
        // The test vectors of RFC 4648, section 10.
        let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        for (text, encoded) in known { #expect(text.utf8.base64 == encoded) }
        #expect([0xFB, 0xFF, 0xBF].base64 == "+/+/")
    }

    @Test("Plain text is not encoded") func plainText() {
        for text in ["", "Jazz at 8", "-f $(reboot)"] { #expect(EncodedWord.encode(text) == text) }
    }

    @Test("Other text is encoded in words of whole characters") func otherText() {
        #expect(EncodedWord.encode("Grüße") == "=?UTF-8?B?R3LDvMOfZQ==?=")
        #expect(EncodedWord.encode("=?x") == "=?UTF-8?B?PT94?=")
        let words = EncodedWord.encode(String(repeating: "ü€", count: 30) + "\r\nBcc: x", separator: "\n ").split(
            separator: "\n ")
        #expect(words.count == 4)
        for word in words {
            #expect(word.utf8.count <= 75 && word.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
        }
    }
}
