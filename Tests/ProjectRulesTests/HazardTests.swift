// SPDX-License-Identifier: MIT

import Testing

/// Checks that docs/hazards.md is true: every hazard is listed, and the tests named for it exist.
struct HazardTests {
    /// Whether a row may be marked as pending, because its test is still to be written.
    private static let mayBePending = false

    /// The least number of hazards in each group. Later IDs may leave out numbers.
    private static let groups = ["A": 20, "B": 10, "C": 7, "D": 11, "E": 5, "F": 10, "G": 4, "H": 8, "I": 10]

    /// The parts of the product that a hazard may wait for.
    private static let missingParts: Set = ["web page"]

    private static let rows = Hazard.rows(of: Project.file("docs/hazards.md").text)
    private static let tests = Project.tests.flatMap { FoundTest.tests(in: $0.text) }

    @Test("Every hazard is listed once, in order, with its fault and outcome")
    func listed() {
        let places = Self.rows.compactMap { row in row.id.first.map { (String($0), Int(row.id.dropFirst()) ?? 0) } }
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        for (group, count) in Self.groups {
            #expect(places.filter { $0.0 == group }.map(\.1).starts(with: 1...count))
        }
        for row in Self.rows {
            #expect(!row.fault.isEmpty && !row.outcome.isEmpty, "\(row.id)")
        }
    }

    @Test("Every test named in the hazard list exists")
    func tests() {
        #expect(Self.rows.flatMap(\.tests).count > 60)
        let names = Set(Self.tests.map(\.name))
        for row in Self.rows {
            for test in row.tests { #expect(names.contains(test), "\(row.id): there is no \(test)") }
        }
    }

    @Test("Every test whose title begins with a hazard is named in the row of that hazard")
    func titles() {
        let titled = Self.tests.filter { !$0.hazards.isEmpty }
        #expect(titled.count > 60)
        for test in titled {
            for id in test.hazards {
                let row = Self.rows.first { $0.id == id }
                #expect(row?.tests.contains(test.name) == true, "\(id) does not name \(test.name)")
            }
        }
    }

    @Test("Every soak case named in the hazard list exists")
    func soaks() {
        let soak = Project.sources.filter { $0.target == "aircheck-soak" }.map(\.text).joined()
        for row in Self.rows {
            for name in row.soaks { #expect(soak.contains("\"\(name)\""), "\(row.id): there is no soak \(name)") }
        }
    }

    @Test("Every benchmark named in the hazard list exists")
    func benches() {
        let benchmarks = Project.sources.filter { $0.target == "aircheck-bench" }.map(\.text).joined()
        for row in Self.rows {
            for name in row.benches { #expect(benchmarks.contains("\"\(name)\""), "\(row.id): there is no \(name)") }
        }
    }

    @Test("A hazard has a test, or waits for a part that does not exist yet")
    func held() {
        for row in Self.rows {
            #expect(row.parts.allSatisfy(Self.missingParts.contains), "\(row.id) waits for \(row.parts)")
            #expect(Self.mayBePending || !row.isPending, "\(row.id) is pending")
            let isHeld =
                !(row.tests + row.soaks + row.benches).isEmpty || !row.parts.isEmpty || row.isPending
            #expect(isHeld, "\(row.id) is held by nothing")
            // Only the hazards of browsers may wait for a missing part.
            if !row.id.hasPrefix("F") { #expect(row.parts.isEmpty, "\(row.id) waits for \(row.parts)") }
            #expect(row.rest.isEmpty, "\(row.id): what is \(row.rest)?")
        }
    }

    @Test("Tests are found in the source with their suite, name and hazards")
    func finder() {
        let tests = FoundTest.tests(
            in: """
                struct OneTests {
                    private struct Inner {}
                    @Test("A1, B10: a title: and more", arguments: [1])
                    func first(number: Int) {}
                    func helper() {}
                    @Test func `C6: second`() {}
                }
                @Suite struct TwoTests {
                    @Test(arguments: ["D1: not a title"]) func third(text: String) {}
                }
                """)
        #expect(tests.map(\.name) == ["OneTests/first", "OneTests/C6: second", "TwoTests/third"])
        #expect(tests.map(\.hazards) == [["A1", "B10"], ["C6"], []])
    }

    @Test("Rows of the hazard list are read with all their parts")
    func reader() {
        let rows = Hazard.rows(
            of: """
                | id | what |
                | A1 | a | b | `S/a b, c`, `T/d`, soak: long-run, bench: a-b, pending |
                | B10 | a | b | `S/e`, waits for: web page, decoding |
                """)
        #expect(rows.map(\.id) == ["A1", "B10"])
        #expect(rows.map(\.tests) == [["S/a b, c", "T/d"], ["S/e"]])
        #expect(rows.map(\.soaks) == [["long-run"], []])
        #expect(rows.map(\.benches) == [["a-b"], []])
        #expect(rows.map(\.parts) == [[], ["web page", "decoding"]])
        #expect(rows.map(\.isPending) == [true, false])
        #expect(rows.map(\.rest) == ["", ""])
    }
}

/// A row of docs/hazards.md.
private struct Hazard {
    let id: String
    let fault: String
    let outcome: String
    /// The tests named for the hazard, each as `Suite/function`.
    let tests: [String]
    let soaks: [String]
    let benches: [String]
    let parts: [String]
    let isPending: Bool
    /// Text that belongs to none of the fields above.
    let rest: String

    static func rows(of text: String) -> [Hazard] {
        text.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| ([A-I]\d+) \| (.*?) \| (.*?) \| (.*) \|/).map {
                Hazard(String($0.output.1), String($0.output.2), String($0.output.3), heldBy: String($0.output.4))
            }
        }
    }

    private init(_ id: String, _ fault: String, _ outcome: String, heldBy text: String) {
        (self.id, self.fault, self.outcome) = (id, fault, outcome)
        tests = text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
        var words = text.replacing(/`[^`]+`/, with: "")
        soaks = words.matches(of: /soak: ([\w-]+)/).map { String($0.output.1) }
        words.replace(/soak: [\w-]+/, with: "")
        benches = words.matches(of: /bench: ([\w-]+)/).map { String($0.output.1) }
        words.replace(/bench: [\w-]+/, with: "")
        isPending = words.contains("pending")
        words.replace("pending", with: "")
        parts =
            words.firstMatch(of: /waits for: (.*)/).map { match in
                match.output.1.split(separator: ",").map { $0.trimmed }
            } ?? []
        words.replace(/waits for: .*/, with: "")
        rest = words.filter { $0 != "," && $0 != " " }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
