// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Stations

struct TitleTrustTests {
    private let start = MonotonicInstant(nanoseconds: 0)

    @Test("Titles are given up after two slips in ten minutes, for that address only") func twoSlips() {
        var trust = TitleTrust()
        trust.slipped("a", start)
        #expect(trust.wantsMetadata(from: "a"))
        trust.slipped("b", start + .seconds(1))
        trust.slipped("a", start + .seconds(599))
        #expect(!trust.wantsMetadata(from: "a"))
        #expect(trust.wantsMetadata(from: "b"))
    }

    @Test("One slip an hour is no reason to give up titles") func rareSlips() {
        var trust = TitleTrust()
        for hour in 0..<24 { trust.slipped("a", start + .seconds(3600 * hour)) }
        #expect(trust.wantsMetadata(from: "a"))
    }

    @Test("Metadata that was never where it should be is given up at once") func misread() {
        var trust = TitleTrust()
        trust.misread("a")
        #expect(!trust.wantsMetadata(from: "a") && !trust.believesHead(from: "a"))
    }

    @Test("A head is still believed after slips, until it is wrong") func headAfterSlips() {
        var trust = TitleTrust()
        for second in 0..<4 { trust.slipped("a", start + .seconds(second)) }
        #expect(!trust.wantsMetadata(from: "a") && trust.believesHead(from: "a"))
        trust.misread("a")
        #expect(!trust.believesHead(from: "a"))
    }

    @Test("A playlist of ever new addresses does not fill the memory") func manyAddresses() {
        var trust = TitleTrust()
        for number in 0..<5_000 {
            trust.slipped("a\(number)", start)
            trust.misread("b\(number)")
        }
        #expect(trust.wantsMetadata(from: "b4999"))
        #expect(!trust.wantsMetadata(from: "b0"))
    }
}
