// SPDX-License-Identifier: MIT

import MediaSources
import RadioCore
import RadioFormats
import TestSupport
import Testing

@Suite("Feeds by people who mean ill, or by nobody at all")
struct FeedFuzzTests {
    private func check(_ bytes: [UInt8]) {
        let feed = try? FeedParser.feed(in: bytes, from: FeedSamples.address)
        for item in feed?.items ?? [] {
            let isSound =
                URLReference(item.address).isWebAddress
                && (item.title.map { $0 == TitleText.cleaned($0) && !$0.isEmpty } ?? true)
                && (item.length.map { $0 > .zero } ?? true)
            #expect(isSound, "\(item)")
        }
    }

    @Test("Mutated feeds do no harm, and their items are well-formed", arguments: UInt64(1)...8)
    func mutations(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let seeds = (FeedSamples.all + [FeedSamples.old]).map { Array($0.utf8) }
        let words = [
            "<item>", "</item>", "<!DOCTYPE x [", "]>", "<!ENTITY a 'b'>", "&a;", "&#0;", "&#x10FFFF;", "<![CDATA[",
            "]]>",
            "xmlns=''", "xml:base='../'", "xml:base='http://[/'", "<?x?>", "<!--", "-->", "\u{0}", "\u{c}",
            "encoding='utf8'",
        ].map { Array($0.utf8) }
        for _ in 0..<250 {
            var body = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0...body.count, using: &random)
                let end = min(body.count, place + Int.random(in: 0...20, using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0: body.replaceSubrange(place..<end, with: random.bytes(end - place))
                case 1: body.removeSubrange(place..<end)
                case 2: body.insert(contentsOf: body[place..<end], at: place)
                case 3: body.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
                default: body.insert(contentsOf: (seeds.randomElement(using: &random) ?? []).prefix(200), at: place)
                }
            }
            check(body)
        }
    }

    @Test("A document of one long token, or of beginnings without an end, is parsed in linear time")
    func tokens() {
        for start in ["<rss><channel><title a='", "<rss><!--", "<rss><![CDATA[", "<rss "] {
            check(Array(start.utf8) + Array(repeating: UInt8(ascii: "x"), count: 3 << 20))
        }
        for part in ["<!--", "<![CDATA[", "<item>", "<a b='", "&amp", "</", "<![CDATA[</x>"] {
            check(Array(("<rss>" + String(repeating: part, count: 300_000) + "]]>-->").utf8))
        }
    }

    @Test("Attributes and base addresses are bounded in number and length")
    func many() {
        let attributes = (0..<20_000).map { " a\($0)='x'" }.joined()
        check(Array("<rss\(attributes)/>".utf8))
        let base = String(repeating: "a/", count: 2_000)
        let nested = String(repeating: "<x xml:base='\(base)'>", count: 60)
        check(Array("<rss>\(nested)".utf8))
    }
}
