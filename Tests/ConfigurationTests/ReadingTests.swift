// SPDX-License-Identifier: MIT

import Configuration
import HTTPServer
import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

@Suite("A configuration")
struct ReadingTests {
    @Test("An empty configuration has the defaults, with absolute paths")
    func defaults() throws {
        let configuration = try parse("").get()
        #expect(configuration.server.listen.map(\.description) == ["127.0.0.1:8000"])
        #expect(configuration.storage.recordings == "/radio/recordings")
        #expect(configuration.storage.state == "/radio/state")
        #expect(configuration.stations.isEmpty && configuration.hooks.isEmpty && configuration.player == nil)
        #expect(configuration.storage.leastFree == nil && configuration.server.metrics)
        #expect(try parse("[server]\n[storage]\n[log]").get() == configuration)
    }

    @Test("A configuration has settings of the server, storage, player and log")
    func parts() throws {
        let configuration = try parse(
            """
            [server]
            listen = ["0.0.0.0:8000", "[::1]:8001", "unix:/run/x.sock"]
            host-names = "Radio.Example"
            allow = "192.168.0.0/16"
            deny = ["192.168.0.66", "fd00::/8"]
            max-per-address = 10
            connect-rate = 5
            max-connections = 1_000
            trusted-proxies = ["10.0.0.1"]
            metrics = false
            [storage]
            recordings = "/srv/./audio/"
            state = "var/state"
            keep-days = 30
            keep-last = 10
            keep-size = "2 TiB"
            free-space = "500MB"
            stations-at-once = 4
            [[station]]
            id = "fip"
            url = "http://fip.example/a"
            [player]
            station = "fip"
            device = "Living Room"
            volume = 0
            [log]
            format = "json"
            level = "debug"
            """
        ).get()
        let server = configuration.server
        #expect(server.listen.map(\.description) == ["0.0.0.0:8000", "[::1]:8001", "unix:/run/x.sock"])
        #expect(server.hostNames == ["radio.example"])
        #expect(server.networks.allowed.count == 1 && server.networks.denied.count == 2)
        #expect(server.mostPerAddress == 10 && server.connectRate == 5 && server.mostConnections == 1000)
        #expect(server.trustedProxies.count == 1 && !server.metrics)
        let storage = configuration.storage
        #expect(storage.recordings == "/srv/audio" && storage.state == "/radio/var/state")
        #expect(storage.keep == RetentionRule(days: 30, last: 10, bytes: 2 << 40))
        #expect(storage.leastFree == 500_000_000 && storage.stationsAtOnce == 4)
        #expect(configuration.player?.station == "fip" && configuration.player?.device == "Living Room")
        #expect(configuration.player?.volume == 0)
        #expect(configuration.log.format == .json && configuration.log.level == .debug)
    }

    @Test("A configuration has stations, each with its source, files and listeners")
    func stations() throws {
        let configuration = try parse(
            """
            [[station]]
            id = "a.b-c_1"
            url = ["https://one.example/a", "http://two.example/b"]
            name = "Radio One"
            record = "always"
            segment = "title"
            template = "{station}/%Y"
            title-offset = "-1s500ms"
            pure = true
            keep-days = 7
            burst = "10s"
            rewind = "10m"
            keep-listeners = "1h"
            fallback = "jingle.mp3"
            max-listeners = 3
            user-agent = "Test"
            headers = { Referer = "https://one.example/", X-One = "1" }
            charset = "latin2"
            ca-file = "one.pem"
            any-entry = true
            variant = "96k"
            heal = ["https://one.example/long.m3u8", "two.example/long.m3u8", "http://192.168.1.7:8000/one"]
            proxy = "http://me:secret@proxy.example:3128"

            [[station]]
            id = "two"
            url = "two.example:8000/live"
            record = "never"
            on-demand = true
            filler = false
            headers = ["X-Two: a: b"]

            [[station]]
            id = "three"
            url = "https://three.example/"
            relay = false
            """
        ).get()
        let (one, two, three) = (configuration.stations[0], configuration.stations[1], configuration.stations[2])
        #expect(one.id == "a.b-c_1" && one.name == "Radio One" && one.source.name == "Radio One")
        #expect(one.source.urls == ["https://one.example/a", "http://two.example/b"] && one.source.seed == 0)
        #expect(one.source.userAgent == "Test" && one.source.charset == .iso8859Part2)
        #expect(one.source.headers.map(\.name) == ["Referer", "X-One"])
        #expect(one.source.caFile == "/radio/one.pem" && one.record == .always)
        #expect(one.source.proxy.map { "\($0)" } == "http://proxy.example:3128")
        #expect(one.files.segment == .title && one.files.name?.text == "{station}/%Y" && one.files.isPure)
        #expect(one.files.titleOffset == .milliseconds(-1500) && one.files.keep == RetentionRule(days: 7))
        #expect(one.relay?.rewind == .seconds(600))
        #expect(one.relay?.burst == .seconds(10) && one.relay?.longestOutage == .seconds(3600))
        #expect(one.relay?.fallback == "/radio/jingle.mp3" && one.relay?.mostListeners == 3)
        #expect(two.source.urls == ["http://two.example:8000/live"])
        #expect(one.source.variant == .bitRate(96_000) && two.source.variant == .best && two.source.healing.isEmpty)
        #expect(
            one.source.healing == [
                "https://one.example/long.m3u8", "http://two.example/long.m3u8", "http://192.168.1.7:8000/one",
            ])
        #expect(one.source.takesAnyEntry && !two.source.takesAnyEntry)
        #expect(two.record == .never && two.relay?.isOnDemand == true && two.relay?.hasFiller == false)
        #expect(two.source.headers.first?.value == "a: b" && two.source.userAgent == "Aircheck/test")
        #expect(three.relay == nil && three.record == .shows && three.name == nil)
    }

    @Test("A show takes the settings that it lacks from its station and the file")
    func shows() throws {
        let text = """
            zone = "Europe/Berlin"
            [[station]]
            id = "fip"
            url = "https://fip.example/"
            segment = "30m"
            template = "x/%Y"
            title-offset = "2s"
            pure = true
            keep-days = 5
            [[station.show]]
            id = "early"
            days = "mon-fri"
            start = 07:00:00
            length = "2h"
            [[station.show]]
            id = "late"
            name = "Late Show"
            days = ["fri", "sat"]
            start = "23:30"
            end = "01:00"
            zone = "Europe/Paris"
            early = "2m"
            late = "5m"
            priority = -3
            segment = "none"
            template = "late/%Y"
            keep-last = 3
            """
        let shows = try parse(text).get().stations[0].shows
        #expect(shows.map(\.show.id) == ["early", "late"] && shows.map(\.show.name) == ["early", "Late Show"])
        #expect(shows.map(\.show.zone) == ["Europe/Berlin", "Europe/Paris"])
        #expect(shows[0].show.end == .length(.seconds(7200)))
        #expect(shows[0].show.start.nanoseconds == 7 * 3_600_000_000_000)
        #expect(try shows[1].show.end == .time(TimeOfDay(parsing: "01:00")))
        #expect(shows[1].show.days.texts == ["fri", "sat"] && shows[1].show.priority == -3)
        #expect(shows[1].show.early == .seconds(120) && shows[1].show.late == .seconds(300))
        #expect(shows[0].files.segment == .none && shows[0].files.name?.text == "x/%Y")
        #expect(shows[0].files.titleOffset == .seconds(2) && shows[0].files.isPure)
        #expect(shows[0].files.keep == RetentionRule())
        #expect(shows[1].files.segment == .none && shows[1].files.name?.text == "late/%Y")
        #expect(shows[1].files.keep == RetentionRule(last: 3))
        let local = "[[station.show]]\nid = \"a\"\ndays = \"sun\"\nstart = \"00:00\"\nlength = \"1h\""
        #expect(try parse(station(local)).get().stations[0].shows[0].show.zone == "local")
    }

    @Test("Dates may stand in quotes or without them")
    func dates() throws {
        guard readsDates else {
            #expect(places(show("length = \"1h\"\nfrom = 2026-09-01")) == ["9 station[1].show[1].from"])
            return
        }
        let text = show(
            "length = \"1h\"\nfrom = 2026-09-01\nuntil = \"2027-06-30\"\nskip = [2026-12-24, \"2026-12-31\"]")
        let show = try parse(text).get().stations[0].shows[0].show
        #expect(try show.validFrom == CalendarDate(parsing: "2026-09-01"))
        #expect(try show.validUntil == CalendarDate(parsing: "2027-06-30"))
        #expect(show.skipped.count == 2)
        #expect(places(text + "\nlate = 1") == ["12 station[1].show[1].late"])
        #expect(places(Configurations.swapped(text)) == ["10 station[1].show[1].until"])
    }

    private enum Configurations {
        /// The same show with a first day that is after its last day.
        static func swapped(_ text: String) -> String {
            text.split(separator: "\n").map { $0.hasPrefix("from") ? "from = 2028-01-01" : String($0) }
                .joined(separator: "\n")
        }
    }

    @Test("A configuration has hooks, each with its action")
    func hooks() throws {
        let hooks = try parse(
            """
            hook = [{ on = "gap", mail = "me@example.org" }, { on = ["gap"], ntfy = "https://ntfy.sh/x" }]
            """
        ).get().hooks
        #expect(hooks.map(\.action) == [.mail(to: "me@example.org"), .ntfy(url: "https://ntfy.sh/x")])
        let others = try parse(
            """
            [[hook]]
            on = ["recording-started", "show-missed"]
            run = ["/bin/echo", "a b", ""]
            timeout = "5s"
            [[hook]]
            on = ["disk-low"]
            post = "http://127.0.0.1:9/x?y"
            """
        ).get().hooks
        #expect(others.map(\.action) == [.command(["/bin/echo", "a b", ""]), .post(url: "http://127.0.0.1:9/x?y")])
        #expect(others.map(\.deadline) == [.seconds(5), .seconds(60)])
        #expect(others[0].events == ["recording-started", "show-missed"])
    }
}
