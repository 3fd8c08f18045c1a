// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Addresses of HLS playlists, and the variables in them.
struct HLSAddressTests {
    @Test(
        "Addresses are absolute, whatever form they are written in",
        arguments: [
            "1.ts", "a/b.ts", "./1.ts", "../1.ts", "a/../../1.ts", "/1.ts", "/a/./1.ts", "//b.example/1.ts",
            "http://b.example/1.ts", "https://b.example:8443/a/../1.ts?x=/../y", "HTTP://b.example/1", "?id=1",
            "1.ts?a=b&c=d#e", "1.ts?t=12:30", "a:1.ts/2", "süß 1.ts", "a%20b.ts", "1.ts?u=http://c.example/../x",
            ".1.ts", "..1.ts", "a/.b", "a//b", "icy://b.example/1", "http://u:p@b.example/1", "http:/b.example/1",
            "http://?x", "https://", "mms://b.example/1", "data:text/plain,x", "a|b", "http://[::1]/1",
        ])
    func forms(_ address: String) {
        for base in [
            "https://a.example/x/y/list.m3u8?token=a/b", "http://a.example", "http://a.example:80/?q",
            "https://a.example/l",
            "http://u:p@a.example/x/l", "file:///x/l", "x/l", "", "http://a.example/x/../y/./l",
        ] {
            let resolved = URLReference(address).resolved(
                against: URLReference(base).resolved(against: URLReference(base)))
            let expected = resolved.isWebAddress ? resolved.text : nil
            let url = try? HLSText.media("#EXTM3U\n#EXTINF:1,\n\(address)\n", base: base).segments.first?.url
            #expect(url == expected, "\(address) in \(base)")
        }
    }

    @Test("An address that is too long, or not of the web, is a problem with a name")
    func unusable() throws {
        func problem(_ address: String, base: String = "http://a.example/x") -> HLSProblem? {
            do {
                _ = try HLSText.media("#EXTINF:1,\n\(address)\n", base: base)
                return nil
            } catch { return error as? HLSProblem }
        }
        let longest = String(repeating: "a", count: 4096 - "http://a.example/".utf8.count)
        #expect(problem(longest) == nil)
        #expect(problem(longest + "a") == .longAddress && problem(longest.dropLast() + "é") == .longAddress)
        #expect(problem(String(repeating: "a", count: 100_000)) == .longAddress)
        #expect(problem("file:///etc/passwd") == .noWebAddress(scheme: "file"))
        #expect(problem("1.ts", base: "list.m3u8") == .noWebAddress(scheme: nil))
        #expect(
            problem(String(repeating: "s", count: 99) + "://a")
                == .noWebAddress(scheme: String(repeating: "s", count: 16)))
    }

    @Test("Variables are replaced in addresses, attributes and hexadecimal numbers, and nowhere else")
    func variables() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-DEFINE:IMPORT="path"
            #EXT-X-DEFINE:NAME="date",VALUE="2026-01-02T03:04:05Z"
            #EXT-X-DEFINE:NAME="under_score",VALUE="5"
            #EXT-X-DEFINE:NAME="key-name",VALUE="k{$under_score}"
            #EXT-X-KEY:METHOD=AES-128,URI="{$key-name}",IV=0x{$under_score}{$under_score}
            #EXT-X-MAP:URI="{$path}/init.mp4",BYTERANGE="{$under_score}00@0"
            #EXT-X-DATERANGE:ID="{$path}",START-DATE="{$date}",X-A="{$path}! {$unknown}"
            #EXTINF:4,{$path}
            {$path}/1{$under_score}.mp4
            """, imports: ["path": "deep/er", "other": "x"])
        let segment = try #require(list.segments.first)
        #expect(segment.url == "https://a.example/x/deep/er/15.mp4" && segment.info == "{$path}")
        #expect(segment.map?.url == "https://a.example/x/deep/er/init.mp4" && segment.map?.range?.length == 500)
        let vector = [UInt8](repeating: 0, count: 15) + [0x55]
        #expect(segment.key == .aes128(url: "https://a.example/x/k5", vector: vector))
        let range = try #require(list.dateRanges.first)
        #expect(range.id == "deep/er" && range.start == "2026-01-02T03:04:05Z")
        #expect(range.attributes == ["X-A": "deep/er! {$unknown}"])
    }

    @Test("Variables come from the query of the list's address, and from the master playlist")
    func origins() throws {
        let master = try HLSText.master(
            """
            #EXTM3U
            #EXT-X-DEFINE:QUERYPARAM="token"
            #EXT-X-DEFINE:QUERYPARAM="missing"
            #EXT-X-DEFINE:NAME="group",VALUE="low"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="{$group}",NAME="n",URI="audio.m3u8?t={$token}"
            #EXT-X-STREAM-INF:BANDWIDTH=96000,AUDIO="{$group}"
            video.m3u8?t={$token}
            """, base: "https://a.example/m.m3u8?foo=bar&token=12%2F34&token=no#token=5")
        #expect(master.variables == ["token": "12/34", "group": "low"])
        let choice = try #require(master.choose(.best))
        #expect(choice.url == "https://a.example/audio.m3u8?t=12/34")
        let list = try HLSText.media(
            "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"token\"\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:4,\n1?t={$token}&u={$t}\n",
            base: choice.url, imports: master.variables)
        #expect(list.segments.map(\.url) == ["https://a.example/1?t=12/34&u=12/34"])
    }

    @Test("An address with a name that is not defined before it is a problem with a name")
    func undefined() throws {
        for definition in ["", "#EXT-X-DEFINE:IMPORT=\"name\"\n", "#EXT-X-DEFINE:QUERYPARAM=\"name\"\n"] {
            #expect(throws: HLSProblem.undefinedVariable("name")) {
                try HLSText.media(
                    "#EXTM3U\n\(definition)#EXTINF:4,\na{$name}\n#EXT-X-DEFINE:NAME=\"name\",VALUE=\"v\"\n#EXTINF:4,\nb\n"
                )
            }
        }
        for text in ["a{b", "a{$}", "a{$b", "a{$b c}", "${b}"] {
            #expect(try HLSText.segment("#EXTINF:1,", text) != nil)
        }
    }

    @Test("The first definition of a name counts, and what a value makes of the text around it is no reference")
    func definitions() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-DEFINE:NAME="a",VALUE="{"
            #EXT-X-DEFINE:NAME="a",VALUE="second"
            #EXTINF:1,
            s{$a}$b}.ts
            """)
        #expect(list.segments.map(\.url) == ["https://a.example/x/s%7B$b%7D.ts"])
    }
}
