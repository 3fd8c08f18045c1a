// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import Testing

@Suite("Faults of a configuration")
struct FaultTests {
    /// Texts and the places of all their faults.
    private static let invalid: [(String, [String])] = [
        ("servr = 1", ["1 servr"]), ("[servr]\n[stations]", ["1 servr", "2 stations"]),
        ("zone = \"Europe/Pariss\"", ["1 zone"]), ("zone = 1", ["1 zone"]),
        ("server = 1", ["1 server"]), ("[[server]]", ["1 server"]), ("[station]", ["1 station"]),
        ("station = [1]", ["1 station[1]"]), ("station = []\nhook = 1", ["2 hook"]),
        ("[server]\nlisten = []", ["2 server.listen"]), ("[server]\nlisten = 8000", ["2 server.listen"]),
        ("[server]\nlisten = [\n\"127.0.0.1:80\",\n\"x\",\n1,\n]", ["4 server.listen", "5 server.listen"]),
        ("[server]\nlisten = [\"127.0.0.1:1\", \"127.0.0.1:1\"]", ["2 server.listen"]),
        ("[server]\nallow = [\"1.2.3\"]\ndeny = \"x\"", ["2 server.allow", "3 server.deny"]),
        ("[server]\nhost-names = [\"a b\", \"a:80\"]", ["2 server.host-names", "2 server.host-names"]),
        ("[server]\nusers = \"/none/here\"", ["2 server.users"]),
        ("[server]\nmax-per-address = 0\nconnect-rate = \"5\"\nmax-connections = 1.5", [
            "2 server.max-per-address", "3 server.connect-rate", "4 server.max-connections",
        ]),
        ("[server]\nmetrics = \"yes\"\ntrusted-proxies = [true]", ["2 server.metrics", "3 server.trusted-proxies"]),
        ("[storage]\nrecordings = \"\"\nstate = \"~/x\"", ["2 storage.recordings", "3 storage.state"]),
        ("[storage]\nrecordings = \"a\\u0000b\"", ["2 storage.recordings"]),
        ("[storage]\nkeep-days = 36501\nkeep-last = -1\nkeep-size = \"50\"\nfree-space = 5", [
            "2 storage.keep-days", "3 storage.keep-last", "4 storage.keep-size", "5 storage.free-space",
        ]),
        ("[storage]\nkeep-size = \"0GB\"\nfree-space = \"1PB\"", ["2 storage.keep-size", "3 storage.free-space"]),
        ("[[station]]", ["1 station[1].id", "1 station[1].url"]),
        ("[[station]]\nid = \"FIP\"\nurl = []", ["2 station[1].id", "3 station[1].url"]),
        ("[[station]]\nid = \"fip\"\nurl = \"fip.example\"", ["3 station[1].url"]),
        ("[[station]]\nid = \"fip\"\nurl = [\"https://a.example\", \"https:///b\"]", ["3 station[1].url"]),
        (station("[[station]]\nid = \"fip\"\nurl = \"http://b.example\""), ["5 station[2].id"]),
        (station("record = \"alway\"\npure = 1\nsegment = \"1\"\ntemplate = \"{x}\""), [
            "4 station[1].record", "5 station[1].pure", "6 station[1].segment", "7 station[1].template",
        ]),
        (station("title-offset = \"2m\"\nname = \" \"\ncharset = \"klingon\""), [
            "4 station[1].title-offset", "5 station[1].name", "6 station[1].charset",
        ]),
        (station("burst = \"11s\"\nkeep-listeners = \"8d\"\nmax-listeners = 0"), [
            "4 station[1].burst", "5 station[1].keep-listeners", "6 station[1].max-listeners",
        ]),
        (station("user-agent = \"a\\nb\"\nheaders = [\"x\"]"), ["4 station[1].user-agent", "5 station[1].headers"]),
        (station("headers = { \"a b\" = \"x\", c = 1, d = \"\\r\" }"), [
            "4 station[1].headers", "4 station[1].headers", "4 station[1].headers",
        ]),
        (station("headers = 1"), ["4 station[1].headers"]),
        (station("relay = false\nburst = \"4s\"\nfiller = true"), ["5 station[1].burst", "6 station[1].filler"]),
        (station("relay = false\nrecord = \"never\""), ["4 station[1].relay"]),
        (station("filler = false\nfallback = \"x.mp3\""), ["5 station[1].fallback"]),
        (station("fallback = \"ftp://x.example\""), ["4 station[1].fallback"]),
        (station("on-demand = true\nrecord = \"always\""), ["4 station[1].on-demand"]),
        (show("length = \"1h\"\n[[station]]\nid = \"b\"\nurl = \"http://b.example\"\n"), []),
        (station("on-demand = true\n") + show("length = \"1h\"").dropFirst(station("").count), [
            "4 station[1].on-demand"
        ]),
        (station("record = \"never\"\n") + show("length = \"1h\"").dropFirst(station("").count), [
            "4 station[1].record"
        ]),
        (station("username = \"me\""), ["4 station[1].username"]),
        (station("password-file = \"x\""), ["4 station[1].password-file"]),
        (station("username = \"a:b\"\npassword-credential = \"x\""), [
            "4 station[1].username", "5 station[1].password-credential",
        ]),
        (station("show = 1"), ["4 station[1].show"]), (station("[station.show]"), ["4 station[1].show"]),
        (station("[[station.show]]"), [
            "4 station[1].show[1].days", "4 station[1].show[1].id", "4 station[1].show[1].length",
            "4 station[1].show[1].start",
        ]),
        (show("length = \"1h\"\nend = \"20:00\""), ["9 station[1].show[1].end"]),
        (show("end = \"19:00\""), ["8 station[1].show[1].end"]), (show("end = \"24:00\""), ["8 station[1].show[1].end"]),
        (show("length = \"8d\"\nearly = \"13h\""), ["8 station[1].show[1].length", "9 station[1].show[1].early"]),
        (show("length = 3600\npriority = 5000\nzone = \"Nowhere\""), [
            "8 station[1].show[1].length", "9 station[1].show[1].priority", "10 station[1].show[1].zone",
        ]),
        (show("length = \"1h\"\nfrom = \"soon\"\nskip = 2026-12-24"), [
            "9 station[1].show[1].from", "10 station[1].show[1].skip",
        ]),
        (show("length = \"1h\"\n[[station.show]]\nid = \"jazz\"\ndays = []\nstart = 2026-12-24\nlength = \"1h\""), [
            "10 station[1].show[2].id", "11 station[1].show[2].days", "12 station[1].show[2].start",
        ]),
        ("[[hook]]", ["1 hook[1]", "1 hook[1].on"]),
        ("[[hook]]\non = [\"gap\", \"gapp\"]\nrun = \"/bin/true\"", ["2 hook[1].on", "3 hook[1].run"]),
        ("[[hook]]\non = []\nrun = []", ["2 hook[1].on", "3 hook[1].run"]),
        ("[[hook]]\non = \"gap\"\nrun = [\"true\"]\ntimeout = \"2h\"", ["3 hook[1].run", "4 hook[1].timeout"]),
        ("[[hook]]\non = \"gap\"\nmail = \"-x@y\"\npost = \"x\"", ["3 hook[1].mail", "4 hook[1].post", "4 hook[1].post"]),
        ("[player]\nstation = \"x\"\nvolume = 151\ndevice = \"\\n\"", [
            "2 player.station", "3 player.volume", "4 player.device",
        ]),
        ("[log]\nformat = \"xml\"\nlevel = 1", ["2 log.format", "3 log.level"]),
        ("a = 1\nb = [", ["2 "]), ("[server]\nlisten = \"a:1\"\nlisten = 1", ["3 "]),
    ]

    @Test("are all found, each in its line and with its key")
    func places() {
        for (text, places) in Self.invalid {
            let found = faults(text)
            #expect(found.map { "\($0.line) \($0.key)" } == places, "\(text)\n\(found)")
            for fault in found { #expect(!fault.problem.isEmpty && fault.column >= 1 && !"\(fault)".contains("\n")) }
        }
    }

    @Test("say what a misspelt word may have meant")
    func hints() {
        let hints: [(String, String)] = [
            ("[sever]", "did you mean [server]?"), ("[stations]", "did you mean [[station]]?"),
            ("[server]\nlisen = 1", "did you mean listen?"), ("[server]\nHost_Names = 1", "did you mean host-names?"),
            ("keep-days = 5", "it belongs in [storage] or [[station]] or [[station.show]]"),
            ("[server]\nfree-space = 5", "it belongs in [storage]"), ("[server.player]", "begin it with [player]"),
            ("[[hook]]\non = \"recording-start\"\nmail = \"a@b\"", "did you mean \"recording-started\"?"),
            ("zone = \"Europe/Pari\"", "did you mean \"Europe/Paris\"?"),
            (station("record = \"sometimes\""), "known are \"always\", \"shows\", \"never\""),
            (station("record = \"allways\""), "did you mean \"always\"?"),
            (station("[player]\nstation = \"fib\""), "did you mean \"fip\"?"),
            ("[server]\nmetrics = 1", "write for example metrics = true"), ("[station]", "begin it with [[station]]"),
        ]
        for (text, hint) in hints { #expect(faults(text).map(\.remedy) == [hint], "\(text)") }
        #expect(faults("[server]\nxyzzy = 1").map(\.remedy) == [nil])
        #expect(faults("[server]\nmetrics = 1")[0].problem == "it must be true or false, without quotes, not a whole number")
    }

    @Test("are sorted, and limited in number and length")
    func limits() {
        let many = (0..<5000).map { "unknown\($0) = 1" }.joined(separator: "\n")
        #expect(faults(many).count == FaultList.most)
        #expect(faults(many).map(\.line) == Array(1...FaultList.most))
        let long = String(repeating: "x", count: 100_000)
        for text in ["\(long) = 1", "zone = \"\(long)\"", station("charset = \"\(long)\""), "[log]\nlevel = \"\(long)\""] {
            let found = faults(text)
            #expect(found.count == 1 && found.allSatisfy { "\($0)".utf8.count < 1000 }, "\(text.prefix(50))")
        }
        let stations = String(repeating: "[[station]]\n", count: 1001)
        #expect(faults(stations).map(\.key) == ["station"])
        #expect(faults("[server]\nlisten = [\(String(repeating: "\"x\",", count: 1001))]").count == 1)
    }

    @Test("never contain what may be a password")
    func secrets() {
        let secret = "https://me:s3cret@radio.example/?token=s3cret"
        for section in ConfigurationSection.root.all {
            let path = section.path
            let parents = path == "station.show" ? station("") : ""
            let header = path.isEmpty ? "" : section.header
            for key in section.keys {
                for value in ["\"\(secret)\"", "[\"\(secret)\", 1]", "{ \"\(secret)\" = 1 }", "{ a = \"\(secret)\" }"] {
                    let text = "\(parents)\(header)\n\(key.name) = \(value)"
                    for fault in faults(text) { #expect(!"\(fault)".contains("s3cret"), "\(fault)") }
                }
            }
            for line in ["\"\(secret)\" = 1", "\"\(secret)\".x = 1", "x = \(secret)", "url = \(secret)"] {
                for fault in faults("\(parents)\(header)\n\(line)") { #expect(!"\(fault)".contains("s3cret")) }
            }
        }
        let headers = station("headers = [\"Authorization: s3cret\\n\", \"s3cret\", \"s3cret x: 1\"]")
        #expect(faults(headers).count == 3)
        for fault in faults(headers) { #expect(!"\(fault)".contains("s3cret")) }
    }

    @Test("do not arise for secrets that are right; those are withheld from descriptions")
    func descriptions() throws {
        let configuration = try parse(
            """
            [[station]]
            id = "fip"
            url = "https://me:s3cret@radio.example/?token=s3cret"
            fallback = "https://me:s3cret@b.example"
            headers = ["Authorization: s3cret"]
            [[hook]]
            on = "gap"
            post = "https://me:s3cret@example.org/x"
            [[hook]]
            on = "gap"
            run = ["/bin/x", "s3cret"]
            """
        ).get()
        var dumped = ""
        dump(configuration, to: &dumped)
        let hooks = configuration.hooks.map { "\($0) \(String(reflecting: $0))" }.joined()
        for text in [dumped, "\(configuration)", String(reflecting: configuration), hooks] {
            #expect(!text.contains("s3cret") && !text.isEmpty, "\(text)")
        }
        #expect(dumped.contains("radio.example") && dumped.contains("Authorization"))
        let relay = try #require(configuration.stations[0].relay)
        #expect(!"\(configuration.stations[0]) \(relay) \(String(reflecting: relay))".contains("s3cret"))
    }
}
