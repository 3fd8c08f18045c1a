// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats
import TestTools
import Testing

@testable import MediaSources

@Suite("Items of a queue from the disk")
struct QueueListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("aircheck-listing") }

    private func items(_ names: [String]) -> (items: [QueueItem], skipped: [String]) {
        var skipped: [String] = []
        let items = names.flatMap { name in
            QueueListing.items(at: folder.file(name)) { skipped.append("\($0): \($1)") }
        }
        return (items, skipped)
    }

    @Test("A feed saved to disk is listed as its items")
    func savedFeed() throws {
        let item = "<item><title>One</title><guid>g</guid><enclosure url='http://a.example/1.mp3'/></item>"
        try folder.write("feed.xml", "<?xml version='1.0'?>\n<rss><channel>\(item)</channel></rss>")
        try folder.write("damaged.xml", "<rss><channel>\(item)<item>&")
        try folder.write("empty.xml", "<rss><channel></channel></rss>")
        let (items, skipped) = items(["feed.xml", "damaged.xml", "empty.xml"])
        #expect(items.map(\.location) == Array(repeating: .address("http://a.example/1.mp3"), count: 2))
        #expect(items.map(\.title) == ["One", "One"])
        #expect(skipped.count == 2 && skipped.first?.contains("the rest of ") == true)
        #expect(skipped.last?.contains("web address of audio") == true)
    }

    @Test("Folders, files, playlists and addresses are listed, folders in natural order")
    func listed() throws {
        mkdir(folder.file("album"), 0o755)
        for name in ["10 - Ten.mp3", "9 - Nine.mp3", "cover.jpg", ".hidden.mp3"] {
            try folder.write("album/\(name)", [1, 2, 3])
        }
        let list =
            "#EXTM3U\n#EXTINF:215,One\nalbum/9 - Nine.mp3\n#EXTINF:-1,Radio\nhttps://u:p@a.example/x?t=1\n"
            + "mms://u:p@b.example/y?z=1\ngone.mp3\n"
        try folder.write("list.m3u", list)
        let (items, skipped) = items(["album", "album/10 - Ten.mp3", "list.m3u", "missing"])
        #expect(items.map { $0.title ?? $0.name } == ["Nine", "Ten", "Ten", "One", "Radio"])
        #expect(items[3].location == .path(folder.file("album/9 - Nine.mp3")) && items[3].length == .seconds(215))
        #expect(items[0].key == items[3].key && items[1].key == items[2].key)
        #expect(items[4].location == .address("https://u:p@a.example/x?t=1"))
        #expect(items[4].key == ItemKey(address: "https://a.example/x?t=1"))
        #expect(skipped.count == 3 && skipped[1] == "\(folder.file("gone.mp3")): there is no such file")
        #expect(skipped[0] == "mms://b.example/y: only http and https can be played")
        // Another file of the same name has another key, so that it begins at its start.
        try folder.write("album/9 - Nine.mp3", [1])
        #expect(self.items(["album"]).items[0].key != items[0].key)
    }

    @Test("H21: A file whose name is not UTF-8 is found from a list in Latin-1")
    func otherBytes() throws {
        let name: [UInt8] = [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6D, 0x70, 0x33]
        let path = (Array(folder.file("").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        close(file)
        try folder.write("latin.m3u", name + [10] + Array("gon".utf8) + [0xE9, 10])
        let (found, skipped) = items(["latin.m3u"])
        #expect(file >= 0 && found.map(\.name) == ["café"] && skipped.count == 1)
        #expect(found.first?.location == .path(PathText.text(of: path.dropLast().map { UInt8(bitPattern: $0) })))
        #expect(skipped.last?.hasSuffix("goné: there is no such file") == true)
        try folder.write("percent.m3u", "file://\(folder.file("caf%E9.mp3"))\n")
        try folder.write(
            "list.xspf", "<playlist><trackList><track><location>caf%E9.mp3</location></track></trackList></playlist>")
        let locations = found.map(\.location)
        #expect(items(["percent.m3u", "list.xspf"]).items.map(\.location) == locations + locations)
        // The same list also finds a file whose name is in UTF-8.
        try folder.write("café.mp3", [1])
        #expect(items(["latin.m3u"]).items.map { $0.title ?? $0.name } == ["café"])
    }

    @Test("B48: A list on disk is read in the charset that its declaration states") func statedCharset() throws {
        try folder.write("cinema.mp3", [1])
        let (before, after) = (
            "<?xml version=\"1.0\" encoding=\"koi8-r\"?><playlist><trackList><track><title>",
            "</title><location>cinema.mp3</location></track></trackList></playlist>"
        )
        try folder.write("list.xspf", Array(before.utf8) + [0xEB, 0xC9, 0xCE, 0xCF] + Array(after.utf8))
        #expect(items(["list.xspf"]).items.map(\.title) == ["Кино"])
    }

    @Test("Items beyond the limit of a list are counted")
    func tooMany() throws {
        try folder.write("a.mp3", [1])
        try folder.write("long.m3u", String(repeating: "a.mp3\n", count: FilePlaylist.mostEntries + 3))
        let (found, skipped) = items(["long.m3u"])
        #expect(found.count == FilePlaylist.mostEntries)
        #expect(skipped == ["3 more: a list has at most 100000 items"])
    }

    @Test("A listing does not wait for a pipe")
    func pipe() {
        mkfifo(folder.file("pipe"), 0o600)
        #expect(items(["pipe"]).items.isEmpty && items(["pipe"]).skipped.count == 1)
    }

    @Test("A stopped listing reports no more items")
    func stopped() throws {
        for number in 1...20 { try folder.write("\(number).mp3", [1]) }
        let stop = try StopFlag()
        #expect(ItemScan.found([folder.path, folder.file("1.mp3")], stop).items.count == 21)
        stop.raise()
        #expect(ItemScan.found([folder.path, folder.file("1.mp3")], stop).items.isEmpty)
        #expect(QueueListing.items(at: folder.path, stop: stop) { _, _ in }.isEmpty)
    }
}
