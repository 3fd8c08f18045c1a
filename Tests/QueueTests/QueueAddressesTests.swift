// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats
import Stations
import Testing

@testable import Queue

/// Which servers get the user's header fields, and how long items are waited for.
struct QueueAddressesTests {
    private func addresses(_ sources: [String], giveUp: Duration? = .seconds(60)) -> QueueAddresses {
        var station = StationSettings(urls: [], userAgent: "Aircheck/test", giveUp: giveUp)
        station.headers = [StationSettings.Header(name: "X-Token", value: "secret")]
        return QueueAddresses(QueueSpec(sources: sources, sound: PlaySpec(output: .none), station: station))
    }

    @Test(
        "Only servers that the user named get the user's header fields",
        arguments: [
            ("http://a.example/other.mp3", true), ("http://u:p@A.example/x", true), ("https://a.example/x", false),
            ("http://a.example:8000/x", false), ("http://b.example/feed", false),
            ("http://a.example.b.example/", false),
        ])
    func headerFields(address: String, gets: Bool) {
        let settings = addresses(["http://a.example/feed"]).settings(forItem: address)
        #expect(settings.headers.isEmpty != gets && settings.urls == [address])
    }

    @Test("An item is waited for as long as the user wants, but no longer than the limit for items") func giveUp() {
        #expect(addresses([], giveUp: nil).settings(forItem: "http://a.example/").giveUp == .seconds(20))
        #expect(addresses([], giveUp: .seconds(60)).settings(forItem: "http://a.example/").giveUp == .seconds(20))
        #expect(addresses([], giveUp: .seconds(3)).settings(forItem: "http://a.example/").giveUp == .seconds(3))
        #expect(addresses([]).settings(forMirrors: ["http://a.example/"]).giveUp == .seconds(60))
    }

    @Test("B47: What a list on disk or on the web, or an address, says about a request is kept with the item")
    func options() throws {
        let list = FilePlaylist(Array("#EXTVLCOPT:http-user-agent=App/7\nhttp://a.example/\nx.mp3\n".utf8), kind: .m3u)
        let items =
            list.entries.compactMap { QueueItem($0, folder: "/m/") } + [
                QueueItem(address: "http://b.example/|Referer=http%3A%2F%2Fr.example")
            ]
        #expect(items.map(\.options.fields) == [[.userAgent: "App/7"], [:], [.referer: "http://r.example"]])
        #expect(items[2].location == .address("http://b.example/"))
        let settings = addresses([]).settings(forItem: "http://b.example/", items[2].options)
        #expect(settings.options["http://b.example/"] == items[2].options)
        let mirrors = addresses([]).settings(forMirrors: ["http://b.example/|Referer=http://r.example"])
        #expect(mirrors.urls == ["http://b.example/"] && mirrors.options.count == 1)
    }

    @Test("Items of a list from outside do not lead into our network") func privateAddresses() {
        var addresses = addresses(["http://a.example/feed"])
        #expect(addresses.settings(forItem: "http://b.example/").allowsPrivateAddress)
        addresses.listAllowsPrivate = false
        #expect(!addresses.settings(forItem: "http://b.example/").allowsPrivateAddress)
    }
}
