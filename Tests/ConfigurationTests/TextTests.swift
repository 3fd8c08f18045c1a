// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import RadioFormats
import Stations
import TestSupport
import TestTools
import Testing

@Suite("Texts of a configuration")
struct TextTests {
    private func add(_ id: String, _ name: String?, _ url: String, to text: String) throws -> String {
        try ConfigurationText.appending(id: id, name: name, url: url, to: text, context).text
    }

    private func failure(_ id: String, _ url: String, to text: String) -> ConfigurationText.Problem? {
        do throws(ConfigurationText.Problem) {
            _ = try ConfigurationText.appending(id: id, name: nil, url: url, to: text, context)
            return nil
        } catch {
            return error
        }
    }

    @Test("A new station is appended to the text, and the rest stays unchanged")
    func appended() throws {
        let url = "https://fip.example/a?b=\"c"
        for text in ["", "# x", "# x\n", "[log]\r\nlevel = \"info\"\r\n", station(""), try Example.text()] {
            let new = try add("new", "Radio \"X\" \\ \u{e9}\u{1F4FB}", url, to: text)
            #expect(new.hasPrefix(text))
            let stations = try parse(new).get().stations
            #expect(stations.last?.id == "new" && stations.last?.name == "Radio \"X\" \\ \u{e9}\u{1F4FB}")
            #expect(stations.last?.source.urls == [url])
            #expect(new.unicodeScalars.contains("\r") == text.unicodeScalars.contains("\r"))
        }
        let twice = try add("b", nil, "http://b.example", to: try add("a", nil, "http://a.example", to: ""))
        #expect(
            twice == """
                [[station]]
                id = "a"
                url = "http://a.example"

                [[station]]
                id = "b"
                url = "http://b.example"

                """)
    }

    @Test(
        "C24: An ID that is derived from any name is valid and free, however many stations have such names",
        arguments: [
            ("Радио Маяк", "radio-mayak"), ("Ελληνικό Ραδιόφωνο", "elliniko-radiofono"), ("Zoë Łódź", "zoe-lodz"),
            ("Straße", "strasse"), ("ラジオ", "razio"), ("라디오", "radio"), ("広播電台", "station"), ("إذاعة", "station"),
            ("📻", "station"), ("", "station"), ("Status", "status-2"), ("Щука щука", "shchuka-shchuka"),
            (
                String(repeating: "long name ", count: 20),
                "long-name-long-name-long-name-long-name-long-name-long-name-long"
            ),
        ])
    func derivedIDs(name: String, id: String) throws {
        var text = ""
        var ids: [String] = []
        for number in 0..<12 {
            let new = try ConfigurationText.appending(
                id: nil, name: name.isEmpty ? nil : name, url: "http://x.example/\(number)",
                to: text, context)
            text = new.text
            ids.append(new.id)
        }
        #expect(ids.first == id && Set(ids).count == 12)
        #expect(try parse(text).get().stations.map(\.id) == ids)
    }

    @Test("A new station of a list has its variant and the lists that heal it")
    func segments() throws {
        let text = try ConfigurationText.appending(
            id: nil, name: nil, url: "http://x.example/a.m3u8", variant: "96k",
            healing: ["http://x.example/b.m3u8", "http://y.example/c?\"d"], to: "", context
        ).text
        let source = try #require(try parse(text).get().stations.first?.source)
        #expect(source.variant == .bitRate(96_000))
        #expect(source.healing == ["http://x.example/b.m3u8", "http://y.example/c?\"d"])
    }

    @Test("An address that a station has already is added once more only under an ID that was asked for")
    func knownAddress() throws {
        let text = """
            [[station]]
            id = "fip"
            url = ["https://fip.example/a", "Other.example/b?token=x"]

            """
        func add(_ id: String?, _ url: String) throws(ConfigurationText.Problem) {
            _ = try ConfigurationText.appending(id: id, name: "Fip", url: url, to: text, context)
        }
        for url in ["https://fip.example/a", "http://other.example/b", "http://me:word@other.example/b?token=y"] {
            #expect(throws: ConfigurationText.Problem.known(id: "fip", line: 1), "\(url)") { try add(nil, url) }
            #expect(throws: ConfigurationText.Problem.taken(id: "fip", line: 1)) { try add("fip", url) }
            try add("again", url)
        }
        try add(nil, "https://fip.example/b")
    }

    @Test("A station that would be invalid is not appended")
    func refused() throws {
        #expect(failure("fip", "http://x.example", to: "\n" + station("")) == .taken(id: "fip", line: 2))
        #expect(failure("x", "http://x.example", to: "station = [{id = 'a'}]") == .otherForm)
        #expect(failure("x", "http://x.example", to: "[station]") == .otherForm)
        guard case .invalid(let fault)? = failure("x", "http://x.example", to: "\na = ")
        else { throw SetupError("a text with an error was taken") }
        #expect(fault.line == 2)
        for (id, url) in [("X", "http://x.example"), ("x", "x"), ("api", "http://x"), ("a\n\"", "http://x\u{0}")] {
            guard case .station(let faults)? = failure(id, url, to: "") else {
                Issue.record("\(id) was taken")
                continue
            }
            #expect(!faults.isEmpty)
        }
    }

    @Test("Sizes are numbers with units")
    func sizes() {
        let valid: [(String, Int64)] = [
            ("50GB", 50_000_000_000), ("500 mb", 500_000_000), ("2TiB", 2 << 40), ("0B", 0), ("1kb", 1000),
            ("10KiB", 10_240), ("999999TB", 999_999_000_000_000_000),
        ]
        for (text, size) in valid { #expect((try? HumanSize.parse(text)) == size, "\(text)") }
        for text in [
            "", "GB", "-1GB", "1.5GB", "5", "5 ", "5  GB", "5PB", "1000000TB", "99999999999999999999B", "5GBx",
        ] {
            #expect(throws: HumanSize.ParseError.self, "\(text)") { try HumanSize.parse(text) }
        }
    }

    @Test("A station's ID has to be valid in an address and unused by the server itself")
    func ids() {
        let invalid = [
            "", "A", "\u{e9}", "a b", "a/b", ".", "..", ".a", "a.", "a..b", "api", "metrics", "healthz", "readyz",
            "status", "status.json", "fip.m3u", "a.pls", String(repeating: "a", count: 65), "a\\n",
        ]
        for id in invalid {
            #expect(places("[[station]]\nid = \"\(id)\"\nurl = \"http://x.example\"") == ["2 station[1].id"], "\(id)")
        }
        for id in ["a", "0", "live", "fip.jazz", "a-b_c", String(repeating: "a", count: 64)] {
            #expect(places("[[station]]\nid = \"\(id)\"\nurl = \"http://x.example\"").isEmpty, "\(id)")
        }
    }
}
