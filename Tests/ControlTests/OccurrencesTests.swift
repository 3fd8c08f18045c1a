// SPDX-License-Identifier: MIT

import Configuration
import Control
import Daemon
import Engine
import Instants
import Testing

@testable import Words

/// What a use reports that neither engine nor daemon know.
private struct Hum: UseReport {
    var hertz: Int
}

extension Hum: Worded {
    func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence? {
        Occurrence(
            .warning, "hum", of: subject, with: ["hertz": "\(hertz)"], "the mains hum at \(hertz) Hz", fault: "hum",
            told: context.event(.gap, of: subject))
    }
}

/// Who learns of the occurrences of a daemon, and in which order.
struct OccurrencesTests {
    private let now = WallInstant(nanoseconds: 0)

    private func hum(_ hertz: Int) -> Occurrence? {
        Wording.occurrence(.use(UseKey("fip", .log), .other(Hum(hertz: hertz))), in: .init(now: now))
    }

    @Test("A notice that only its use knows is an occurrence like any other") func foreign() throws {
        let hum = try #require(self.hum(50))
        #expect(hum.name == "hum" && hum.level == .warning && hum.sentence == "[fip] the mains hum at 50 Hz")
        #expect(hum.fields == ["station": "fip", "hertz": "50"] && hum.told?.station == "fip")
    }

    @Test("All who follow hear in one order, even of what they cause themselves") func order() throws {
        let occurrences = Occurrences()
        let (first, second) = (try #require(hum(1)), try #require(hum(2)))
        var heard: [String] = []
        occurrences.follow { [unowned occurrences, now] entry in
            heard.append("a\(entry.position)")
            if entry.position == 1 { occurrences.append(second, at: now) }
        }
        occurrences.follow { heard.append("b\($0.position)") }
        occurrences.append(first, at: now)
        #expect(heard == ["a1", "b1", "a2", "b2"])
    }

    @Test("Who was away continues from its position, and learns how much it has missed") func positions() throws {
        let occurrences = Occurrences()
        #expect(occurrences.after(0)?.entries.isEmpty == true && occurrences.after(1) == nil)
        for number in 1...Occurrences.mostKept + 5 { occurrences.append(try #require(hum(number)), at: now) }
        let newest = occurrences.newest
        let rest = try #require(occurrences.after(newest - 2))
        #expect(rest.entries.map(\.position) == [newest - 1, newest] && rest.missed == 0)
        #expect(rest.entries.map(\.occurrence.fields["hertz"]) == ["\(newest - 1)", "\(newest)"])
        let late = try #require(occurrences.after(2))
        #expect(late.missed == 3 && late.entries.count == Occurrences.mostKept && late.entries.first?.position == 6)
        #expect(occurrences.after(newest + 1) == nil && occurrences.after(-1) == nil)
    }
}
