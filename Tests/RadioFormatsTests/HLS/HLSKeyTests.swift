// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Keys and maps, which apply from their place in the list on.
struct HLSKeyTests {
    private static func keys(_ lines: String) throws -> [SegmentKey?] {
        try HLSText.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines).segments.map(\.key)
    }

    @Test("A key applies to all segments behind it, until another one or none")
    func places() throws {
        let keys = try Self.keys(
            """
            #EXTINF:6,
            1
            #EXT-X-KEY:METHOD=AES-128,URI="k1?a=b,c",IV=0x1566B
            #EXTINF:6,
            2
            #EXTINF:6,
            #EXT-X-KEY:METHOD=AES-128,URI="/k2",KEYFORMAT="identity"
            3
            4
            #EXT-X-KEY:METHOD=NONE
            5
            """)
        let vector: [UInt8] = [UInt8](repeating: 0, count: 13) + [0x01, 0x56, 0x6b]
        let second = SegmentKey.aes128(url: "https://a.example/k2", vector: nil)
        #expect(keys == [nil, .aes128(url: "https://a.example/x/k1?a=b,c", vector: vector), second, second, nil])
    }

    @Test("A segment without a stated vector has that of its number")
    func vectorOfNumber() {
        #expect(SegmentKey.vector(of: 0x0A7A) == [UInt8](repeating: 0, count: 14) + [0x0a, 0x7a])
        #expect(SegmentKey.vector(of: .max).suffix(8) == [0x7f, 255, 255, 255, 255, 255, 255, 255])
    }

    @Test("A vector has up to sixteen bytes, in either case")
    func vectors() throws {
        let expected = [UInt8](repeating: 0xAB, count: 16)
        for digits in [String(repeating: "aB", count: 16), String(repeating: "AB", count: 16)] {
            let keys = try Self.keys("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0X\(digits)\n1")
            #expect(keys == [.aes128(url: "https://a.example/x/k", vector: expected)])
        }
    }

    @Test(
        "Any encryption but AES-128 with a key on the web is named",
        arguments: [
            ("METHOD=SAMPLE-AES,URI=\"k\"", "SAMPLE-AES"), ("METHOD=AES-256,URI=\"k\"", "AES-256"),
            ("METHOD=AES-256-CTR,URI=\"k\",IV=0x1", "AES-256-CTR"),
            ("URI=\"k\",METHOD=SAMPLE-AES-CENC ", "SAMPLE-AES-CENC"),
            (
                "METHOD=AES-128,URI=\"skd://1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
                "com.apple.streamingkeydelivery"
            ),
            ("METHOD=AES-128", "AES-128 without an address of the key"),
            ("METHOD=AES-128,URI=\"data:text/plain;base64,AA\"", "AES-128 without an address of the key"),
            ("METHOD=AES-128,URI=\"k\",IV=0x", "AES-128 with a malformed IV"),
            ("METHOD=AES-128,URI=\"k\",IV=15", "AES-128 with a malformed IV"),
            ("METHOD=AES-128,URI=\"k\",IV=0xZ1", "AES-128 with a malformed IV"),
            ("METHOD=AES-128,URI=\"k\",IV=0x\(String(repeating: "0", count: 33))", "AES-128 with a malformed IV"),
            ("", "an unknown method"), ("METHOD=\u{1b}[2J", "[2J"),
        ])
    func named(_ attributes: String, name: String) throws {
        #expect(try Self.keys("#EXT-X-KEY:\(attributes)\n1") == [.encrypted(name)])
    }

    @Test("Of keys in several formats, the one that may be used counts, in any order")
    func formats() throws {
        let identity = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let foreign =
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.example.drm\",KEYFORMATVERSIONS=\"1\"\n"
        let key = SegmentKey.aes128(url: "https://a.example/x/k", vector: nil)
        #expect(try Self.keys(identity + foreign + "1") == [key] && Self.keys(foreign + identity + "1") == [key])
        #expect(try Self.keys(foreign + "1") == [.encrypted("com.example.drm")])
        #expect(try Self.keys(identity + foreign + "#EXT-X-KEY:METHOD=NONE\n1") == [nil])
    }

    @Test("A map applies until the next, with the key at its own place")
    func maps() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXTINF:6,
            1
            #EXT-X-MAP:URI="init1.mp4"
            #EXTINF:6,
            2
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXTINF:6,
            3
            #EXT-X-MAP:URI="init2.mp4",BYTERANGE="564@0"
            #EXTINF:6,
            4
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXT-X-MAP:URI="init3.mp4"
            5
            #EXT-X-MAP
            6
            """)
        let maps = list.segments.map(\.map)
        #expect(maps[0] == nil && maps[1]?.url == "https://a.example/x/init1.mp4" && maps[2] == maps[1])
        #expect(maps[2]?.key == nil && maps[3]?.key == list.segments[2].key && maps[3]?.range?.length == 564)
        // A map without a vector cannot be decrypted, because it has no number.
        #expect(maps[4]?.key == .encrypted("AES-128 without an IV") && maps[5] == maps[4])
    }

    @Test("A tag and the next on one line do not hide the map")
    func missingLineEnd() throws {
        let list = try HLSText.media("#EXTM3U\n#EXTINF:5,\na\n#EXT-X-MAP:URI=\"init1.ts\"#EXTINF:5.005,\nb\n")
        #expect(list.segments.map(\.map?.url) == [nil, "https://a.example/x/init1.ts"])
    }
}
