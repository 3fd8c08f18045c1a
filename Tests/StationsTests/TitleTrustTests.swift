// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Stations

struct TitleTrustTests {
    private let start = MonotonicInstant(nanoseconds: 0)

    @Test func `titles are given up after two slips in ten minutes, for that address only`() {
        var trust = TitleTrust()
        trust.slipped("a", start)
        #expect(trust.wantsMetadata(from: "a"))
        trust.slipped("b", start + .seconds(1))
        trust.slipped("a", start + .seconds(599))
        #expect(!trust.wantsMetadata(from: "a"))
        #expect(trust.wantsMetadata(from: "b"))
    }

    @Test func `a slip an hour is no reason to go without titles`() {
        var trust = TitleTrust()
        for hour in 0..<24 { trust.slipped("a", start + .seconds(3600 * hour)) }
        #expect(trust.wantsMetadata(from: "a"))
    }

    @Test func `metadata that was never where it should be is given up at once`() {
        var trust = TitleTrust()
        trust.misread("a")
        #expect(!trust.wantsMetadata(from: "a"))
        #expect(!trust.believesHead(from: "a"))
    }

    @Test func `after slips the head is still believed, until it is wrong`() {
        var trust = TitleTrust()
        for second in 0..<4 { trust.slipped("a", start + .seconds(second)) }
        #expect(!trust.wantsMetadata(from: "a") && trust.believesHead(from: "a"))
        trust.misread("a")
        #expect(!trust.believesHead(from: "a"))
    }

    @Test func `a playlist of ever new addresses fills no memory`() {
        var trust = TitleTrust()
        for number in 0..<5_000 {
            trust.slipped("a\(number)", start)
            trust.misread("b\(number)")
        }
        #expect(trust.wantsMetadata(from: "b4999"))
        #expect(!trust.wantsMetadata(from: "b0"))
    }
}
