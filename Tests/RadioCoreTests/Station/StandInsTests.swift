// SPDX-License-Identifier: MIT

import RadioCore
import Testing

/// Which addresses of a list carry the station that plays.
struct StandInsTests {
    private static let list = "http://list.test/"

    /// Three entries of a list, which says nothing about them; the first plays.
    private func listed(_ groups: [[String]] = [["a"], ["b"], ["c"]], titles: [String: String] = [:]) -> StandIns {
        var standIns = StandIns([Self.list])
        standIns.listed(groups, titles: titles, at: Self.list)
        return standIns
    }

    private func standings(_ standIns: StandIns) -> [StandIns.Standing] { ["a", "b", "c"].map(standIns.standing) }

    @Test("Before anything plays, every entry may be the station") func nothingPlays() {
        #expect(standings(listed()) == [.same, .same, .same])
    }

    @Test("Entries without evidence are unknown, and the one that plays is the station") func noEvidence() {
        var standIns = listed()
        standIns.plays("b")
        #expect(standings(standIns) == [.unknown, .same, .unknown])
    }

    @Test("A31: The same name makes entries one station, and another name makes them two") func names() {
        var standIns = listed()
        standIns.answered("a", name: "Radio One")
        standIns.plays("a")
        standIns.answered("b", name: " radio  ONE ")
        standIns.answered("c", name: "Radio Two")
        #expect(standings(standIns) == [.same, .same, .other])
    }

    @Test(
        "A placeholder is no name",
        arguments: [
            "", "no name", "Unspecified name", "This is my server name", "Radio", "My Station", "default STREAM name",
            "Live", "Online Radio", "SHOUTcast Server", "Liquidsoap Radio!", "AzuraCast", "butt", "Your Station Name",
            "Test Stream", "Offline", "mount", "/stream.mp3", "MP3 128", "128", "128k", "AAC+ 64 kbit/s",
            "Stream 128kbps", "-", nil,
        ])
    func placeholders(name: String?) {
        var standIns = listed()
        standIns.answered("a", name: name)
        standIns.plays("a")
        standIns.answered("b", name: name)
        #expect(standings(standIns) == [.same, .unknown, .unknown])
    }

    @Test("A name with a number is a name", arguments: ["Radio 24", "Live 105", "94.7", "Radio One 128", "Stream FM"])
    func numbers(name: String) {
        var standIns = listed()
        standIns.answered("a", name: name)
        standIns.plays("a")
        standIns.answered("b", name: name)
        #expect(standings(standIns) == [.same, .same, .unknown])
    }

    @Test("Frames that matched make entries one station, and frames without a match make them two") func frames() {
        var standIns = listed()
        standIns.plays("a")
        standIns.matched("b")
        standIns.isStranger("c")
        #expect(standings(standIns) == [.same, .same, .other])
        // What plays after that is compared anew.
        standIns.plays("c")
        #expect(standings(standIns) == [.unknown, .unknown, .same])
    }

    @Test("What the list puts together is one station") func groups() {
        var standIns = listed([["a", "c"], ["b"]])
        standIns.answered("a", name: "One")
        standIns.answered("b", name: "Two")
        standIns.answered("c", name: "One (mirror)")
        standIns.plays("c")
        #expect(standings(standIns) == [.same, .other, .same])
    }

    @Test("A31: Equal titles make entries one station, unless their servers send different names") func titles() {
        var standIns = listed(titles: ["a": "Jazz", "b": "jazz", "c": "Rock"])
        standIns.plays("a")
        #expect(standings(standIns) == [.same, .same, .unknown])
        standIns.answered("a", name: "Jazz FM")
        #expect(standings(standIns) == [.same, .same, .unknown])
        standIns.answered("b", name: "Smooth Jazz")
        #expect(standings(standIns) == [.same, .other, .unknown])
    }

    @Test("A35: A choice is found among entries that differ in their queries, and holds neither passwords nor queries")
    func choices() {
        let entries = ["http://u:secret@a.test/x?s=1", "http://u:secret@a.test/x?s=2", "http://b.test/"]
        for (index, entry) in entries.enumerated() {
            let choice = ListChoice(addresses: ["http://l.test/?t=secret", entry], name: nil)
            #expect(choice.index(in: entries) == index && !"\(choice)".contains("secret"))
            let stored = ListChoice(
                addresses: choice.addresses, name: nil, before: choice.before, checksum: choice.checksum)
            #expect(stored == choice && choice.isReached(from: ["http://l.test/?t=2"]))
        }
        let renewed = ListChoice(addresses: ["http://a.test/x?s=3"], name: nil)
        #expect(renewed.index(in: ["http://b.test/", "http://a.test/x?s=4"]) == 1 && renewed.index(in: []) == nil)
    }

    @Test("A35: Only entries that came before the choice when it was made are preferred to it later")
    func order() {
        let choice = ListChoice(addresses: ["http://l.test/", "c"], name: nil, before: ["a?t=1", "b"])
        #expect(choice.ordered(["d", "b", "a?t=2", "c", "e"]) == ["b", "a?t=2", "c", "d", "e"])
        #expect(choice.ordered(["d", "http://l.test/", "a"]) == ["http://l.test/", "d", "a"])
        #expect(choice.ordered(["d", "a"]) == ["d", "a"])
        #expect(ListChoice(addresses: ["c"], name: nil).ordered(["d", "c"]) == ["d", "c"])
    }

    @Test("A title that says nothing is no evidence", arguments: ["Live", "Radio", "Unknown"])
    func emptyTitles(title: String) {
        var standIns = listed(titles: ["a": title, "b": title])
        standIns.plays("a")
        #expect(standIns.standing(of: "b") == .unknown)
    }

    @Test("The user's addresses are one station, together with the first entry of a list among them") func mirrors() {
        var standIns = StandIns([Self.list, "http://mirror.test/"])
        standIns.listed([["a"], ["b"]], at: Self.list)
        standIns.plays("a")
        #expect(standIns.standing(of: "http://mirror.test/") == .same)
        #expect(standIns.standing(of: "b") == .unknown)
    }

    @Test("A list that has new addresses each time it is read needs a bounded memory, and names still count")
    func newAddresses() {
        var standIns = StandIns([Self.list])
        standIns.listed([["a0"], ["b0"]], at: Self.list)
        standIns.answered("a0", name: "One")
        standIns.plays("a0")
        for round in 1..<5_000 { standIns.listed([["b\(round)"], ["a\(round)"]], at: Self.list) }
        standIns.answered("a4999", name: "One")
        standIns.answered("b4999", name: "Two")
        #expect(standIns.standing(of: "a4999") == .same)
    }

    @Test("A31: Titles of a list that has new addresses each time it is read count each time")
    func titlesOfNewAddresses() {
        var standIns = listed()
        standIns.plays("a")
        let areSame = (0..<2_500).allSatisfy { round in
            let mirror = "b\(round)"
            standIns.listed([["a"], [mirror]], titles: ["a": "Jazz", mirror: "Jazz"], at: Self.list)
            return standIns.standing(of: mirror) == .same
        }
        #expect(areSame)
    }

    @Test("A server that sends another name each time needs a bounded memory, and names still count")
    func newNames() {
        var standIns = listed()
        standIns.plays("a")
        for round in 0..<2_500 { standIns.answered("a", name: "Name \(round)") }
        standIns.answered("b", name: "Name 2499")
        standIns.answered("c", name: "Other")
        #expect(standings(standIns) == [.same, .same, .other])
    }
}
