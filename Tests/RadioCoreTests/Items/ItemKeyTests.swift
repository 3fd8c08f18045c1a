// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

@Suite("What items are known by")
struct ItemKeyTests {
    @Test("The key of an address is a digest that leaves out credentials, tokens and fragments")
    func addresses() {
        func key(_ address: String) -> String { ItemKey(address: address).text }
        let text = key("https://me:pw@A.example/x.mp3?id=7&token=abc#t=5")
        #expect(text == key("https://a.example/x.mp3?id=7"))
        // The first half of the SHA-256 of "url:https://a.example/x.mp3?id=7".
        #expect(text == "web:4038788063bf853b7de1c19bf7595e95")
        #expect(key("http://a.example/play?id=1") != key("http://a.example/play?id=2"))
        for secret in ["http://a.example/TOKEN/x.mp3", "http://a.example/x?k=TOKEN", "token", "url:TOKEN", ""] {
            #expect(key(secret).utf8.count == 36 && !key(secret).contains("TOKEN"))
        }
    }

    @Test("A key by a unique guid survives a move of the feed, a key by another guid does not")
    func guids() {
        let (first, second) = ("https://a.example/feed", "https://b.example/feed")
        let unique = "9f1c9f1c-0000-4000-8000-9f1c9f1c9f1c"
        #expect(ItemKey(guid: unique, feed: first) == ItemKey(guid: unique, feed: second))
        #expect(ItemKey(guid: unique, feed: first) != ItemKey(address: unique))
        #expect(ItemKey(guid: "17", feed: first) != ItemKey(guid: "17", feed: second))
        #expect(ItemKey(guid: "17", feed: "https://u:p@a.example/feed") == ItemKey(guid: "17", feed: first))
        #expect(
            ItemKey(guid: "http://a.example/?p=1&token=x", feed: first)
                == ItemKey(guid: "http://a.example/?p=1", feed: second))
        #expect(ItemKey(guid: "TOKEN", feed: first).text.utf8.count == 36)
    }

    @Test("Plain keys of older files equal the keys of today")
    func older() {
        #expect(
            ItemKey(written: "url:https://a.example/x.mp3?id=7") == ItemKey(address: "https://a.example/x.mp3?id=7"))
        #expect(
            ItemKey(written: "guid:17 https://a.example/feed") == ItemKey(guid: "17", feed: "https://a.example/feed"))
        for key in [ItemKey(address: "http://a.example/1"), ItemKey(path: "/url:x", size: 7)] {
            #expect(ItemKey(written: key.text) == key)
        }
        // A long key, as older files shortened it.
        let long = "http://a.example/" + String(repeating: "x", count: 600)
        #expect(ItemKey(written: "url:" + long.prefix(508) + "#248cd2d2ae036338") == ItemKey(address: long))
    }

    @Test("Keys of long paths are shortened and stay distinct")
    func long() {
        let path = String(repeating: "ü", count: 3_000)
        let (first, second) = (ItemKey(path: path + "a", size: 1), ItemKey(path: path + "b", size: 1))
        #expect(first != second && first.text.utf8.count <= 529)
        #expect(ItemKey(written: first.text) == first)
        #expect(ItemKey(path: "/a", size: 1) != ItemKey(path: "/a", size: 2))
    }

    @Test("Playlist entries become queue items")
    func playlists() throws {
        let text = "#EXTM3U\n#EXTINF:215,One\nhttp://a.example/1.mp3\n#EXTINF:-1,Two\nx/2.mp3\nmms://c.example\n"
        let items = FilePlaylist(Array(text.utf8), kind: .m3u).entries.compactMap { QueueItem($0, folder: "/music/") }
        #expect(items.map(\.location) == [.address("http://a.example/1.mp3"), .path("/music/x/2.mp3")])
        #expect(items.map(\.title) == ["One", "Two"] && items.map(\.length) == [.seconds(215), nil])
        let list = try Playlist(Array(text.utf8), kind: .m3u, base: "http://b.example/l/list.m3u", for: .queue)
        #expect(
            list.entries.map { QueueItem($0).location } == [
                .address("http://a.example/1.mp3"), .address("http://b.example/l/x/2.mp3"),
            ])
    }
}
