// SPDX-License-Identifier: MIT

import Instants
import MediaSources
import RadioCore
import Testing

@Suite("Feeds")
struct FeedTests {
    static func read(_ bytes: [UInt8], from address: String = FeedSamples.address) throws -> Feed {
        try FeedParser.feed(in: bytes, from: address)
    }

    private func read(_ text: String) throws -> Feed { try Self.read(Array(text.utf8)) }

    /// The error of a document; nil if it has none.
    private func fault(_ text: String) -> FeedError? {
        do { _ = try Self.read(Array(text.utf8)) } catch { return error as? FeedError }
        return nil
    }

    @Test("A podcast in RSS 2.0 is read with its items")
    func podcast() throws {
        let feed = try read(FeedSamples.podcast)
        #expect(feed.title == "Tom & Jerry’s Show")
        try #require(feed.items.count == 2)
        let first = feed.items[0]
        #expect(first.title == "Folge 12: „Äpfel & Birnen“ neu")
        #expect(first.guid == "a1b2c3d4-e5f6-7890-abcd-ef0123456789")
        #expect(first.address == "https://cdn.example/12.mp3?dest-id=7&x=1")
        #expect(first.length == .seconds(3_723))
        #expect(first.published == CivilTime(rfc3339: "2026-11-24T04:00:00Z")?.instant)
        let second = feed.items[1]
        #expect(second.title == "Episode <3 😀" && second.address == "https://pod.example/audio/10.ogg")
        #expect(second.length == .seconds(3_723) && second.guid == nil)
        #expect(second.published == CivilTime(rfc3339: "2026-11-17T04:00:00Z")?.instant)
    }

    @Test("Queue items from a feed keep their key, length and date")
    func queue() throws {
        let items = try read(FeedSamples.podcast).queueItems(from: FeedSamples.address)
        let guid = "a1b2c3d4-e5f6-7890-abcd-ef0123456789"
        #expect(items.first?.key == ItemKey(guid: guid, feed: FeedSamples.address))
        #expect(items.last?.key == ItemKey(address: "https://pod.example/audio/10.ogg"))
        #expect(items.first?.length == .seconds(3_723) && items.first?.published != nil)
    }

    @Test("A feed in Atom is read, with base addresses inside it")
    func atom() throws {
        let feed = try read(FeedSamples.atom)
        #expect(feed.title == "Atom & Co")
        #expect(feed.items.map(\.title) == ["One bold word", "Two – x"])
        #expect(feed.items.map(\.address) == ["http://a.example/atom/e/one.mp3", "http://b.example/two.opus"])
        #expect(feed.items[0].guid == "urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a")
        #expect(feed.items[0].published == CivilTime(rfc3339: "2026-11-01T09:00:00Z")?.instant)
        #expect(feed.items[1].published == CivilTime(rfc3339: "2026-10-02T10:00:00Z")?.instant)
    }

    @Test("Media RSS is used without an enclosure, audio before video, and no images or other schemes")
    func media() throws {
        let feed = try read(FeedSamples.media)
        #expect(feed.items.map(\.address) == ["http://m.example/a.mp3", "http://m.example/own.mp3"])
        #expect(feed.items[0].length == .seconds(61) && feed.items[0].published != nil)
        #expect(try read(FeedSamples.rdf).items.map(\.title) == ["First"])
    }

    @Test("Feeds in old code pages, with an external document type and HTML references are read")
    func charsets() throws {
        func bytes(_ text: String, _ word: [UInt8]) -> [UInt8] {
            Array(text.utf8).flatMap { $0 == UInt8(ascii: "@") ? word : [$0] }
        }
        #expect(try Self.read(bytes(FeedSamples.old, [0xCF, 0xF0])).items.map(\.title) == ["Пр"])
        #expect(try Self.read(bytes(FeedSamples.old, [0xCF, 0xF0])).title == "Пр café")
        let western = FeedSamples.old.replacing("windows-1251", with: "cp1252")
        #expect(try Self.read(bytes(western, [0x84, 0xE4, 0x93])).items.map(\.title) == ["„ä“"])
        for name in ["UTF8", "utf-8", "utf_8"] {
            let text = FeedSamples.old.replacing("windows-1251", with: name).replacing("@", with: "ü😀")
            #expect(try read(text).items.map(\.title) == ["ü😀"])
        }
        let units = FeedSamples.podcast.replacing("UTF-8", with: "UTF-16").utf16
        #expect(try Self.read([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).items.count == 2)
        let latin = Array(FeedSamples.media.replacing("Group", with: "@").utf8).flatMap { $0 == 0x40 ? [0xE9] : [$0] }
        let head = Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8)
        #expect(try Self.read(head + latin).items.first?.title == "é")
        #expect(try read(FeedSamples.podcast.replacing("UTF-8", with: "EBCDIC-99")) == (try read(FeedSamples.podcast)))
        let japanese = bytes(FeedSamples.old.replacing("windows-1251", with: "Shift_JIS"), [0x89, 0xCC, 0x8E, 0xE8])
        #expect(try Self.read(japanese).items.map(\.title) == ["歌手"])
    }

    @Test("Leading blanks, a byte order mark and other namespace prefixes or letter case are accepted")
    func leniency() throws {
        #expect(try read("\n \r\n" + FeedSamples.podcast).items.count == 2)
        #expect(try read("\u{feff}\n" + FeedSamples.podcast).items.count == 2)
        let other = FeedSamples.podcast.replacing("itunes:", with: "i:").replacing(":itunes", with: ":i")
            .replacing("dtds/podcast", with: "DTDs/Podcast")
        #expect(try read(other) == (try read(FeedSamples.podcast)))
    }

    @Test("HTML's entities are understood, and unknown ones stay as they are")
    func undeclared() throws {
        let text =
            "<rss><channel><title>caf&eacute;&nbsp;&bogus;&amp;lt;</title><item>"
            + "<enclosure url='http://a.example/?a=1&amp;amp;b=2&c'/></item></channel></rss>"
        let feed = try read(text)
        #expect(feed.title == "café &bogus;<" && feed.items.map(\.address) == ["http://a.example/?a=1&b=2&c"])
    }

    /// A feed of three items; `second` is the beginning of the second item.
    private func three(_ second: String, prefix: String = "<rss><channel><title>T</title>") -> String {
        func item(_ number: Int, _ more: String = "") -> String {
            "<item>\(more)<title>\(number)</title><guid>g\(number)</guid><enclosure url='http://a.example/\(number).mp3' "
                + "type='audio/mpeg'/></item>\n"
        }
        return prefix + item(1) + item(2, second) + item(3) + "</channel></rss>"
    }

    @Test(
        "B49: A fault in an item costs that item at most",
        arguments: [
            "<description>a & b, c < d, e &nbsp f</description>", "<description><p>one<br>two</description>",
            "<itunes:summary>undeclared</itunes:summary><x:y/>", "<description><![CDATA[never closed</description>",
            "<description>control \u{8}\u{1B} characters</description>", "</description></p></channel>",
            "<description>never closed", "<link href=x rel='a' 'b' =>", "<a b=\"no end>text</a>", "<!-- never closed",
            "<description>]]> -- ></description>", "<item>", "<category><![CDATA[a]]></category", "<\u{0}>",
            String(repeating: "<div>", count: 200),
        ])
    func faults(fault: String) throws {
        let feed = try read(three(fault))
        let addresses = Set(feed.items.map(\.address))
        #expect(addresses.isSuperset(of: ["http://a.example/1.mp3", "http://a.example/3.mp3"]), "\(feed.items)")
        #expect(feed.title == "T" && feed.items.first?.title == "1" && feed.items.last?.title == "3")
        #expect(feed.items.count >= 2 && feed.items.count <= 4)
    }

    @Test(
        "B49: A title or an item that is never closed ends where the next element begins, and none is lost",
        arguments: [
            ("<title>1<guid>x</guid>", ["1"]), ("<title>1<b>2</b><pubDate>y</pubDate>", ["12"]),
            ("<enclosure url='http://a.example/1.mp3'><title>1</title>", ["1"]),
        ])
    func unclosed(start: String, titles: [String?]) throws {
        let rest = "<enclosure url='http://a.example/9.mp3'></enclosure>"
        let feed = try read("<rss><channel><item>\(start)\(rest)<item>\(rest)</item></channel></rss>")
        #expect(feed.items.count == 2 && feed.items.prefix(1).map(\.title) == titles)
    }

    @Test("B49: Warnings of a script, a missing root and prefixes without a declaration do no harm")
    func beginnings() throws {
        let wanted = try read(three(""))
        #expect(wanted.items.count == 3)
        for start in [
            "<br />\n<b>Warning</b>: mysql in <b>/x.php</b><br />\n<rss><channel><title>T</title>",
            "\n\n<?xml version='1.0'?><rss><channel><title>T</title>", "<channel><title>T</title>",
            "junk<rss><channel><title>T</title>",
            "<RSS><Channel><TITLE>T</TITLE>",
        ] {
            #expect(try read(three("", prefix: start)).items == wanted.items)
        }
        let item = "<item><enclosure url='http://a.example/1.mp3'/><itunes:duration>62</itunes:duration></item>"
        #expect(try read("<rss><channel>\(item)</channel></rss>").items.first?.length == .seconds(62))
        let secure = "<rss xmlns:itunes='https://www.itunes.com/DTDs/Podcast-1.0.dtd/'><channel>\(item)</channel></rss>"
        #expect(try read(secure).items.first?.length == .seconds(62))
    }

    @Test("B49: Latin-1 in a feed that calls itself UTF-8, and the reverse, are read")
    func wrongCharset() throws {
        let utf8 = "<?xml version='1.0' encoding='UTF-8'?>"
        let latin = Array(three("", prefix: utf8 + "<rss><channel><title>Zoë</title>").utf8)
        let mixed = Array(three("<title>Caf@</title>").utf8).flatMap { $0 == 0x40 ? [0xE9] : [$0] }
        #expect(try Self.read(latin).title == "Zoë")
        #expect(try Self.read(Array(utf8.utf8) + mixed).items.map(\.title) == ["1", "Café", "3"])
        let reverse = three("", prefix: "<?xml version='1.0' encoding='ISO-8859-1'?><rss><channel><title>Zoë</title>")
        #expect(try read(reverse).title == "Zoë")
    }

    @Test("B49: A feed that is cut off anywhere keeps each whole item, and says that it was cut off")
    func truncated() throws {
        for sample in FeedSamples.all {
            let bytes = Array(sample.utf8)
            let whole = try Self.read(bytes)
            #expect(!whole.isTruncated && whole.warning == nil)
            for count in stride(from: 0, to: bytes.count - 8, by: 3) {
                guard let feed = try? Self.read(Array(bytes[..<count])) else { continue }
                #expect(feed.items.elementsEqual(whole.items.prefix(feed.items.count)))
                #expect(feed.isTruncated || feed.items.count == whole.items.count)
            }
        }
        let end = try #require(FeedSamples.podcast.firstRange(of: "<title>Episode"))
        #expect(try read(String(FeedSamples.podcast[..<end.lowerBound])).items.count == 1)
    }

    @Test("Entities that a feed declares are not expanded")
    func entities() throws {
        var laughs = "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY lol0 'lol'>"
        for level in 1...30 {
            let one = "&lol\(level - 1);"
            laughs += "<!ENTITY lol\(level) '\(String(repeating: one, count: 10))'>"
        }
        laughs += "]><rss><channel><title>&lol30;</title></channel></rss>"
        #expect(try read(laughs).title == "&lol30;")
        let file =
            "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel><title>&x;</title></channel></rss>"
        #expect(try read(file).title == "&x;")
    }

    @Test("An enclosure called text counts as audio if its address says so")
    func text() throws {
        let enclosures = ["a.mp3", "a.txt", "b.OGG?x=1"].map {
            "<item><enclosure url='http://a.example/\($0)' type='text/plain'/></item>"
        }
        let feed = try read("<rss><channel>\(enclosures.joined())</channel></rss>")
        #expect(feed.items.map(\.address) == ["http://a.example/a.mp3", "http://a.example/b.OGG?x=1"])
    }

    @Test("A document that is no feed is reported with what it is")
    func others() {
        #expect(fault("<html><body/></html>") == .notAFeed("html"))
        #expect(fault("<a:b xmlns:a='urn:x'/>") == .notAFeed("a:b"))
        for text in ["", " ", "{}", "\u{0}\u{0}", "<!doctype html><p>"] { #expect(fault(text) == .notAFeed(nil)) }
        #expect(fault("<rss>" + String(repeating: " ", count: FeedParser.longestBody)) == .tooLong)
    }

    @Test("A feed has at most ten thousand items, and its texts are limited in length")
    func bounded() throws {
        let item = "<item><enclosure url='http://a.example/1.mp3'/></item>"
        let many = "<rss><channel>" + String(repeating: item, count: 12_000)
        let found = try read(many)
        #expect(found.items.count == 10_000 && found.leftOut == 2_000)
        let title = String(repeating: "x", count: 1 << 20)
        let long =
            "<rss><channel><item><title>\(title)</title><enclosure url='http://a.example/\(title)'/>"
            + "<enclosure url='http://a.example/1.mp3'/></item></channel></rss>"
        let feed = try read(long)
        #expect(feed.items.map(\.address) == ["http://a.example/1.mp3"])
        #expect(feed.items.first?.title?.utf8.count == 4 << 10)
    }
}
