// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct SHA256Tests {
    @Test(
        "The digests of the standard's examples are right",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(_ text: String, _ digest: String) {
        #expect(SHA256.hexadecimal(of: text.utf8, bits: 256) == digest)
        #expect(SHA256.hexadecimal(of: text.utf8, bits: 128) == String(digest.prefix(32)))
    }

    /// The digest of all digests of texts of 0 to 200 bytes, which covers every way in which a block can end.
    @Test("Texts of every length around the ends of blocks have the right digests")
    func lengths() {
        var all = SHA256()
        for count in 0...200 { all.update(SHA256.digest(of: repeatElement(UInt8(count), count: count))) }
        let digest = "29b8bfb16048ea8637507378655acc7e2a9885f925dd36246a6018f158034601"
        #expect(all.digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
    }
}
