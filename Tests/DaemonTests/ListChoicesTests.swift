// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The entries of lists that are the stations.
struct ListChoicesTests {
    @Test("The choice of a station that is gone is forgotten") func gone() {
        let choices = ListChoices(.alone)
        let stored = ["a": ListChoice(addresses: ["http://a.test/"], name: "A", before: ["http://z.test/"])].json
        choices.resume(stored)
        choices.note(ListChoice(addresses: ["http://b.test/"], name: nil), of: "b")
        #expect(choices["a"] == ListChoice(addresses: ["http://a.test/"], name: "A", before: ["http://z.test/"]))
        #expect(choices["a"] != nil && choices["b"] != nil)
        choices.keep(only: ["b"])
        #expect(choices["a"] == nil && choices["b"] != nil)
    }

    @Test("However long the addresses and names of entries are, the next run can read some of them")
    func large() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "\u{1}", count: 2_000)
        var choices: [String: ListChoice] = [:]
        for number in 0..<500 { choices["\(number)"] = ListChoice(addresses: ["http://a.test/\(number)"], name: name) }
        let file = StateFile(folder: folder.path, name: ListChoices.fileName)
        try file.write(choices.json.encoded())
        let read = [String: ListChoice](try JSONValue(parsing: try #require(file.read()), limit: 1 << 20))
        #expect(read.count > 50 && read.allSatisfy { choices[$0.key] == $0.value })
    }
}
