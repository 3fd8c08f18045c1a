// SPDX-License-Identifier: MIT

import Configuration
import Testing

@Suite("Faults of a configuration")
struct FaultTests {
    @Test("All faults of a configuration are found, each with its line and key")
    func places() {
        #expect(InvalidDocument.all.count > 30)
        for document in InvalidDocument.all {
            let found = faults(document.text)
            #expect(found.map { "\($0.line) \($0.key)" } == document.places, "\(document.text)\n\(found)")
            for fault in found { #expect(!fault.problem.isEmpty && fault.column >= 1 && !"\(fault)".contains("\n")) }
        }
    }

    @Test("A syntax error hides all other faults")
    func syntax() {
        #expect(faults("a = 1\nb = [").map(\.line) == [2])
        #expect(
            faults("[server]\nlisten = \"a:1\"\nlisten = 1").map { "\($0)" } == [
                "line 3: this is not valid TOML (key-value pair): cannot redefine existing string 'listen'"
            ])
    }

    @Test("The fault of a misspelt word suggests the word that was meant")
    func hints() {
        let hints: [(String, String)] = [
            ("[sever]", "did you mean [server]?"), ("[stations]", "did you mean [[station]]?"),
            ("[server]\nlisen = 1", "did you mean listen?"), ("[server]\nHost_Names = 1", "did you mean host-names?"),
            ("keep-days = 5", "it belongs in [storage] or [[station]] or [[station.show]]"),
            ("[server]\nfree-space = 5", "it belongs in [storage]"), ("[server.player]", "begin it with [player]"),
            ("[[hook]]\non = \"recording-start\"\nmail = \"a@b\"", "did you mean \"recording-started\"?"),
            ("zone = \"Europe/Pari\"", "did you mean \"Europe/Paris\"?"),
            (station("record = \"sometimes\""), "use one of \"always\", \"shows\", \"never\""),
            (station("record = \"allways\""), "did you mean \"always\"?"),
            (station("[player]\nstation = \"fib\""), "did you mean \"fip\"?"),
            ("[server]\nmetrics = 1", "write for example metrics = true"), ("[station]", "begin it with [[station]]"),
        ]
        for (text, hint) in hints { #expect(faults(text).map(\.remedy) == [hint], "\(text)") }
        #expect(faults("[server]\nxyzzy = 1").map(\.remedy) == ["config.example.toml lists all keys"])
        #expect(
            faults("[server]\nmetrics = 1")[0].problem == "it must be true or false, without quotes, not a whole number"
        )
    }

    @Test("Faults are sorted, and their number and length are limited")
    func limits() {
        let many = (0..<5000).map { "unknown\($0) = 1" }.joined(separator: "\n")
        #expect(faults(many).count == FaultList.most)
        #expect(faults(many).map(\.line) == Array(1...FaultList.most))
        let long = String(repeating: "x", count: 100_000)
        for text in [
            "\(long) = 1", "zone = \"\(long)\"", station("charset = \"\(long)\""), "[log]\nlevel = \"\(long)\"",
        ] {
            let found = faults(text)
            #expect(found.count == 1 && found.allSatisfy { "\($0)".utf8.count < 1000 }, "\(text.prefix(50))")
        }
        let stations = String(repeating: "[[station]]\n", count: 1001)
        #expect(faults(stations).map(\.key) == ["station"])
        #expect(faults("[server]\nlisten = [\(String(repeating: "\"x\",", count: 1001))]").count == 1)
    }

    @Test("Faults never contain a text that may be a password")
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

    @Test("Descriptions of a valid configuration withhold its secrets")
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
