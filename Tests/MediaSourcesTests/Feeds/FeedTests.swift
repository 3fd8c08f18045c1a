// SPDX-License-Identifier: MIT

import Instants
import MediaSources
import RadioCore
import Testing

@Suite("Feeds")
struct FeedTests {
    static func read(_ bytes: [UInt8], by size: Int = .max, from address: String = FeedSamples.address) throws -> Feed {
        let parser = FeedParser(address: address)
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { parser.append($0) }
            rest = rest.dropFirst(size)
        }
        return try parser.finish()
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
        #expect(feed.title == "Tom & Jerry’s Show" && feed.image == "https://pod.example/cover.jpg")
        try #require(feed.items.count == 2)
        let first = feed.items[0]
        #expect(first.title == "Folge 12: „Äpfel & Birnen“ neu" && first.episode == 12)
        #expect(first.guid == "a1b2c3d4-e5f6-7890-abcd-ef0123456789")
        #expect(first.address == "https://cdn.example/12.mp3?dest-id=7&x=1")
        #expect(first.type == "audio/mpeg" && first.bytes == 12_345_678 && first.length == .seconds(3_723))
        #expect(first.published == CivilTime(rfc3339: "2026-11-24T04:00:00Z")?.instant)
        let second = feed.items[1]
        #expect(second.title == "Episode <3 😀" && second.address == "https://pod.example/audio/10.ogg")
        #expect(second.bytes == nil && second.length == .seconds(3_723) && second.guid == nil)
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
        #expect(feed.title == "Atom & Co" && feed.image == "http://a.example/atom/logo.png")
        #expect(feed.items.map(\.title) == ["One bold word", "Two – <i>x"])
        #expect(feed.items.map(\.address) == ["http://a.example/atom/e/one.mp3", "http://b.example/two.opus"])
        #expect(feed.items[0].guid == "urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a" && feed.items[0].bytes == 1_000)
        #expect(feed.items[0].published == CivilTime(rfc3339: "2026-11-01T09:00:00Z")?.instant)
        #expect(feed.items[1].published == CivilTime(rfc3339: "2026-10-02T10:00:00Z")?.instant)
    }

    @Test("Media RSS is used without an enclosure, audio before video, and no images or other schemes")
    func media() throws {
        let feed = try read(FeedSamples.media)
        #expect(feed.items.map(\.address) == ["http://m.example/a.mp3", "http://m.example/own.mp3"])
        #expect(feed.items[0].bytes == 77 && feed.items[0].length == .seconds(61) && feed.items[0].published != nil)
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
        if case .malformed = fault(FeedSamples.podcast.replacing("UTF-8", with: "EBCDIC-99")) {} else { Issue.record() }
    }

    @Test("Leading blanks, a byte order mark and other namespace prefixes or letter case are accepted")
    func leniency() throws {
        #expect(try read("\n \r\n" + FeedSamples.podcast).items.count == 2)
        #expect(try read("\u{feff}\n" + FeedSamples.podcast).items.count == 2)
        let other = FeedSamples.podcast.replacing("itunes:", with: "i:").replacing(":itunes", with: ":i")
            .replacing("dtds/podcast", with: "DTDs/Podcast")
        #expect(try read(other) == (try read(FeedSamples.podcast)))
    }

    @Test("Undeclared HTML entities are understood, and unknown ones stay as they are")
    func undeclared() throws {
        let text =
            "<rss><channel><title>caf&eacute;&nbsp;&bogus;&amp;lt;</title><item>"
            + "<enclosure url='http://a.example/&eacute;x'/></item></channel></rss>"
        let feed = try read(text)
        #expect(feed.title == "café &bogus;<" && feed.items.map(\.address) == ["http://a.example/x"])
        if case .malformed = fault("<rss><channel><title>a & b</title></channel></rss>") {} else { Issue.record() }
    }

    @Test("A feed reads the same however its bytes are split", arguments: [1, 2, 3, 7, 64, 1_000])
    func splits(size: Int) throws {
        for sample in FeedSamples.all {
            #expect(try Self.read(Array(sample.utf8), by: size) == (try read(sample)))
        }
        // This feed is long enough to be parsed in parts.
        let long = FeedSamples.podcast.replacing("Only text", with: String(repeating: "text ", count: 20_000))
        #expect(try Self.read(Array(long.utf8), by: max(size, 50) * 13) == (try read(long)))
    }

    @Test("A truncated feed is an error, wherever it ends")
    func truncated() throws {
        for sample in FeedSamples.all {
            let bytes = Array(sample.utf8)
            for count in stride(from: 0, to: bytes.count - 8, by: 3) {
                #expect(throws: FeedError.self) { try Self.read(Array(bytes[..<count])) }
            }
        }
    }

    @Test("A damaged feed keeps the items before the damage, and reports its line")
    func salvaged() throws {
        func salvage(_ text: String) throws -> Feed {
            let parser = FeedParser(address: FeedSamples.address)
            Array(text.utf8).withUnsafeBytes { parser.append($0) }
            return try parser.salvage()
        }
        let item = "<item><enclosure url='http://a.example/1.mp3' type='audio/mpeg'/></item>"
        let damaged = try salvage("<rss><channel>\(item)\(item)<item><title>a & b</title></item>\(item)")
        #expect(damaged.items.count == 2)
        if case .malformed(_, line: 1, _) = damaged.damage {} else { Issue.record("\(damaged)") }
        #expect(try salvage(FeedSamples.podcast).damage == nil)
        #expect(throws: FeedError.self) { try salvage("<rss><channel><title>a & b</title>\(item)</channel></rss>") }
    }

    @Test("A feed that declares its own entities is refused at once")
    func entities() {
        var laughs = "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY lol0 'lol'>"
        for level in 1...30 {
            let one = "&lol\(level - 1);"
            laughs += "<!ENTITY lol\(level) '\(String(repeating: one, count: 10))'>"
        }
        laughs += "]><rss><channel><title>&lol30;</title></channel></rss>"
        #expect(fault(laughs) == .ownEntities)
        let file =
            "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel><title>&x;</title></channel></rss>"
        #expect(fault(file) == .ownEntities)
        let parameter = "<!DOCTYPE rss [<!ENTITY % p SYSTEM 'http://127.0.0.1/p'>%p;]><rss/>"
        #expect(fault(parameter) == .ownEntities)
        #expect(fault("<!DOCTYPE rss [<!ENTITY q '&q;'>]><rss>&q;</rss>") == .ownEntities)
        #expect(fault("<!DOCTYPE rss [<!ELEMENT rss ANY>]><rss/>") == nil)
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
        #expect(fault("<a:b xmlns:a='urn:x'/>") == .notAFeed("b"))
        for text in ["", " ", "{}", "<rss>", "<!doctype html><p>", "<rss/><rss/>", "\u{0}\u{0}"] {
            guard case .malformed = fault(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(fault(String(repeating: "<rss>", count: 70)) == .tooDeep)
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
