// SPDX-License-Identifier: MIT

/// Documents with faults. A line with faults names the keys at fault after `#!`.
struct InvalidDocument {
    let text: String
    /// The places of the faults in the order of the file: `12 station[1].id`.
    let places: [String]

    private init(_ text: Substring) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        self.text = lines.joined(separator: "\n")
        places = lines.enumerated().flatMap { index, line in
            let mark = line.firstRange(of: "#!")
            let keys = mark.map { line[$0.upperBound...].split(separator: " ") } ?? []
            return keys.map { "\(index + 1) \($0)" }
        }
    }

    /// All documents.
    static let all = [top, server, storage, stations, sources, listeners, shows, others].flatMap { documents in
        ("\n" + documents).split(separator: "\n---").map { InvalidDocument($0) }
    }

    private static let top = #"""
        servr = 1  #! servr
        ---
        [servr]  #! servr
        [stations]  #! stations
        ---
        zone = "Europe/Pariss"  #! zone
        ---
        zone = 1  #! zone
        ---
        zone = "../x"  #! zone
        ---
        server = 1  #! server
        hook = 1  #! hook
        ---
        [[server]]  #! server
        ---
        [station]  #! station
        ---
        station = [1]  #! station[1]
        """#

    private static let server = #"""
        [server]
        listen = []  #! server.listen
        ---
        [server]
        listen = 8000  #! server.listen
        ---
        [server]
        listen = [
            "127.0.0.1:80",
            "x",  #! server.listen
            1,  #! server.listen
        ]
        ---
        [server]
        listen = ["127.0.0.1:1", "127.0.0.1:1"]  #! server.listen
        ---
        [server]
        allow = ["1.2.3"]  #! server.allow
        deny = "x"  #! server.deny
        host-names = ["a b", "a:80"]  #! server.host-names server.host-names
        users = "/none/here"  #! server.users
        max-per-address = -1  #! server.max-per-address
        connect-rate = "5"  #! server.connect-rate
        max-connections = 1.5  #! server.max-connections
        metrics = "yes"  #! server.metrics
        trusted-proxies = [true]  #! server.trusted-proxies
        """#

    private static let storage = #"""
        [storage]
        recordings = ""  #! storage.recordings
        state = "~/x"  #! storage.state
        keep-days = 36501  #! storage.keep-days
        keep-last = -1  #! storage.keep-last
        keep-size = "50"  #! storage.keep-size
        free-space = 5  #! storage.free-space
        stations-at-once = 9223372036854775807  #! storage.stations-at-once
        ---
        [storage]
        recordings = "a\u0000b"  #! storage.recordings
        state = "https://example.org/"  #! storage.state
        keep-size = "0GB"  #! storage.keep-size
        free-space = "1PB"  #! storage.free-space
        """#

    private static let stations = #"""
        [[station]]  #! station[1].id station[1].url
        ---
        [[station]]
        id = "FIP"  #! station[1].id
        url = []  #! station[1].url
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        [[station]]
        id = "fip"  #! station[2].id
        url = "http://b.example"
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        record = "alway"  #! station[1].record
        pure = 1  #! station[1].pure
        segment = "1"  #! station[1].segment
        template = "{x}"  #! station[1].template
        title-offset = "2m"  #! station[1].title-offset
        name = " "  #! station[1].name
        keep-days = 0  #! station[1].keep-days
        show = 1  #! station[1].show
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        [station.show]  #! station[1].show
        """#

    private static let sources = #"""
        [[station]]
        id = "fip"
        url = "fip"  #! station[1].url
        ---
        [[station]]
        id = "fip"
        url = ["https://a.example", "https:///b"]  #! station[1].url
        charset = "klingon"  #! station[1].charset
        user-agent = "a\nb"  #! station[1].user-agent
        headers = ["x"]  #! station[1].headers
        ca-file = ""  #! station[1].ca-file
        username = "me"  #! station[1].username
        ---
        [[station]]
        id = "fip"
        url = "https://fip.example"
        headers = { "a b" = "x", c = 1, d = "\r" }  #! station[1].headers station[1].headers station[1].headers
        password-file = "x"  #! station[1].password-file station[1].password-file
        ---
        [[station]]
        id = "fip"
        url = "https://fip.example/a.m3u8"
        variant = "huge"  #! station[1].variant
        heal = ["https://fip.example/b.m3u8", "ftp://fip.example/c"]  #! station[1].heal
        ---
        [[station]]
        id = "fip"
        url = "https://me:x@fip.example"
        headers = 1  #! station[1].headers
        username = "a:b"  #! station[1].username station[1].username
        password-credential = "x"  #! station[1].password-credential
        """#

    private static let listeners = #"""
        [[station]]
        id = "fip"
        url = "http://a.example"
        burst = "11s"  #! station[1].burst
        rewind = "61m"  #! station[1].rewind
        keep-listeners = "8d"  #! station[1].keep-listeners
        max-listeners = 0  #! station[1].max-listeners
        fallback = "ftp://x.example"  #! station[1].fallback
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        relay = false
        burst = "4s"  #! station[1].burst
        filler = true  #! station[1].filler
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        relay = false  #! station[1].relay
        record = "never"
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        filler = false
        fallback = "x.mp3"  #! station[1].fallback
        on-demand = true  #! station[1].on-demand
        record = "always"
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        on-demand = true  #! station[1].on-demand
        show = [{ id = "a", days = "sun", start = "00:00", length = "1h" }]
        ---
        [[station]]
        id = "fip"
        url = "http://a.example"
        record = "never"  #! station[1].record
        show = [{ id = "a", days = "sun", start = "00:00", length = "1h" }]
        """#

    private static let shows = #"""
        [[station]]
        id = "fip"
        url = "http://a.example"
        [[station.show]]  #! station[1].show[1].days station[1].show[1].id station[1].show[1].length station[1].show[1].start
        [[station.show]]
        id = "both"
        days = []  #! station[1].show[2].days
        start = "19:00"
        length = "1h"
        end = "20:00"  #! station[1].show[2].end
        [[station.show]]
        id = "both"  #! station[1].show[3].id
        name = "\t"  #! station[1].show[3].name
        days = "sun"
        start = "19:00"
        end = "19:00"  #! station[1].show[3].end
        early = "13h"  #! station[1].show[3].early
        late = "0s"  #! station[1].show[3].late
        priority = 5000  #! station[1].show[3].priority
        zone = "Nowhere"  #! station[1].show[3].zone
        from = "soon"  #! station[1].show[3].from
        until = 07:00:00  #! station[1].show[3].until
        skip = 2026-12-24  #! station[1].show[3].skip
        [[station.show]]
        id = "a/b"  #! station[1].show[4].id
        days = ["sun", 1]  #! station[1].show[4].days
        start = 2026-12-24  #! station[1].show[4].start
        end = "24:00"  #! station[1].show[4].end
        segment = "2d"  #! station[1].show[4].segment
        template = "/"  #! station[1].show[4].template
        keep-last = "1"  #! station[1].show[4].keep-last
        [[station.show]]
        id = "c"
        days = "sun"
        start = "19:00"
        length = 3600  #! station[1].show[5].length
        [[station.show]]
        id = "d"
        days = "sun"
        start = "19:00"
        length = "8d"  #! station[1].show[6].length
        pure = true  #! station[1].show[6].pure
        """#

    private static let others = #"""
        [[hook]]  #! hook[1] hook[1].on
        [[hook]]
        on = ["gap", "gapp"]  #! hook[2].on
        run = "/bin/true"  #! hook[2].run
        [[hook]]
        on = []  #! hook[3].on
        run = []  #! hook[3].run
        [[hook]]
        on = "gap"
        run = ["true"]  #! hook[4].run
        timeout = "2h"  #! hook[4].timeout
        [[hook]]
        on = "gap"
        mail = "-x@y"  #! hook[5].mail
        post = "x"  #! hook[5].post hook[5].post
        [[hook]]
        on = "gap"
        ntfy = "https://a b"  #! hook[6].ntfy
        [[hook]]
        on = "gap"
        ntfy = "https://ntfy.sh?x/y"  #! hook[7].ntfy
        [[hook]]
        on = "gap"
        run = ["/bin/true"]
        token-file = "x"  #! hook[8].token-file hook[8].token-file
        token-credential = "x"  #! hook[8].token-credential hook[8].token-credential
        [[hook]]
        on = [["gap"]]  #! hook[9].on
        run = [1]  #! hook[9].run
        ---
        [player]
        station = "x"  #! player.station
        volume = 151  #! player.volume
        device = "\n"  #! player.device
        [log]
        format = "xml"  #! log.format
        level = 1  #! log.level
        """#
}
