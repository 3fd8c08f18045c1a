// SPDX-License-Identifier: MIT

import Engine
import Playback
import RadioCore
import Stations
import Testing
import Words

@testable import aircheck

/// The line that is rewritten while a recording runs.
struct LiveLineTests {
    private static let titles = [
        "", "Short", "Daft Punk - Harder, Better, Faster, Stronger (Alive 2007 live at Bercy, Paris)",
        "東京事変 - 群青日和 東京事変 群青日和 東京事変 群青日和", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦 family 👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽 ❤️❤️❤️❤️❤️",
        "e\u{301}\u{301}\u{301}\u{301}o\u{308} combining", "क्षत्रिय क्षत्रिय क्षत्रिय क्षत्रिय क्षत्रिय",
        "\u{1B}[2J\u{1B}[31mred\u{7}\r\n\tmoved \u{9B}5A \u{202E}turned\u{2066}", String(repeating: "x", count: 5_000),
    ]

    @Test("The live line is never wider than the terminal allows", arguments: [200, 80, 60, 40, 20, 8, 3, 1], titles)
    func width(width: Int, title: String) throws {
        let terminal = try TerminalWidth()
        for progress in Self.variants(title) {
            let line = LiveLine.render(progress, width: width)
            #expect(terminal.of(line) <= max(1, width - 1), "\(line)")
            let isClean = line.unicodeScalars.allSatisfy { scalar in
                ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                    && !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
            }
            #expect(isClean, "\(line.debugDescription)")
        }
    }

    @Test("A player that waits for the rest of a file says so, and speaks of no station")
    func growing() {
        var player = PlayerSnapshot()
        (player.position, player.length, player.heard) = (.seconds(61), .seconds(700), .seconds(61))
        player.status.state = .rebuffering(.stalled)
        var queue = QueueProgress()
        queue.count = 1
        queue.station = StationSnapshot(activity: .growing, position: Position(), isDelivering: false)
        #expect(
            LiveLine.render(player, queue, width: 200)
                == "○ 1:01 / 11:40  buffering  the file is still being written: waiting for the rest of it")
        #expect(
            Wording.line(.buffering(.growing, isFirst: false))
                == "waiting for audio: the file may still be being written")
        for activity in [Activity.silent, .lookingUp, .hedging(hasStalled: true)] {
            queue.station = StationSnapshot(activity: activity, position: Position(), isDelivering: false)
            #expect(!LiveLine.render(player, queue, width: 200).contains("station"))
        }
    }

    @Test(
        "With a duration, the elapsed time stands beside the whole, in the same form",
        arguments: [
            (723, 5_400, "0:12:03 of 1:30:00"), (3, 5_400, "0:00:03 of 1:30:00"), (4_000, 5_400, "1:06:40 of 1:30:00"),
            (3, 60, "0:03 of 1:00"), (723, 1_200, "12:03 of 20:00"), (61, 60, "1:01"),
        ])
    func total(elapsed: Int, total: Int, words: String) {
        #expect(Measure.clock(.seconds(elapsed), of: .seconds(total)) == words)
        #expect(Measure.clock(.seconds(elapsed), of: nil) == Measure.clock(.seconds(elapsed)))
        var progress = RecordProgress(elapsed: .seconds(elapsed), bytes: 0, station: "FIP")
        progress.total = .seconds(total)
        #expect(LiveLine.render(progress, width: 80).contains("● \(words)  0 kB"))
    }

    @Test(
        "A narrow terminal loses the least important part of the live line first",
        arguments: [
            (200, "● 1:02:03  59.6 MB  128 kbit/s  reconnects 2  Artist - A title"),
            (80, "● 1:02:03  59.6 MB  128 kbit/s  reconnects 2  Artist - A title"),
            (60, "● 1:02:03  59.6 MB  reconnects 2  Artist - A title"),
            (40, "● 1:02:03  Artist - A title"),
            (20, "● 1:02:03  Artist…"),
            (8, "● 1:02…"),
        ])
    func narrowTerminal(width: Int, line: String) {
        let progress = RecordProgress(
            elapsed: .seconds(3_723), bytes: 59_600_000, bitsPerSecond: 128_040, station: "Nova",
            title: "Artist - A title", reconnects: 2)
        #expect(LiveLine.render(progress, width: width) == line)
    }

    @Test("Without a title the live line names the station, or what it waits for") func stationOrWaiting() {
        var progress = RecordProgress(elapsed: .seconds(61), bytes: 976_000, station: "Nova")
        #expect(LiveLine.render(progress, width: 80) == "● 1:01  976 kB  Nova")
        progress.waiting = "connecting"
        progress.title = "Old"
        #expect(LiveLine.render(progress, width: 80) == "○ 1:01  976 kB  connecting")
    }

    @Test("While a recording is played, the live line has the title and delay of the sound being played")
    func beingPlayed() {
        var player = PlayerSnapshot()
        player.status.state = .prebuffering
        func line() -> String {
            var progress = RecordProgress(elapsed: .seconds(61), bytes: 976_000, station: "Nova", title: "On air")
            progress.hear(player, isHeard: true)
            return LiveLine.render(progress, width: 80)
        }
        #expect(line() == "● 1:01  976 kB  filling the buffer  On air")
        player.status.state = .playing
        (player.heard, player.behind, player.volume) = (.seconds(40), .seconds(4), 1)
        #expect(line() == "● 1:01  976 kB  Nova", "before the first title")
        (player.behind, player.title, player.volume) = (.seconds(14), "Before", 0.6)
        #expect(line() == "● 1:01  976 kB  14 s behind live  volume 60 %  Before")
        player.status.state = .paused
        player.isMuted = true
        #expect(line() == "● 1:01  976 kB  paused  14 s behind live  muted  Before")
    }

    @Test("Times and sizes are written in short form") func measures() {
        #expect(Measure.clock(.milliseconds(999)) == "0:00")
        #expect(Measure.clock(.seconds(59)) == "0:59")
        #expect(Measure.clock(.seconds(36_000)) == "10:00:00")
        #expect(Measure.span(.seconds(18_725)) == "5 h 12 min")
        #expect(Measure.span(.seconds(200)) == "3 min 20 s" && Measure.span(.seconds(8)) == "8 s")
        #expect(Measure.span(.seconds(300)) == "5 min" && Measure.span(.seconds(7_259)) == "2 h")
        #expect(Measure.length(.milliseconds(59_999)) == "59 s" && Measure.length(.seconds(5_316)) == "1 h 28 min")
        #expect(Measure.length(.milliseconds(9_960)) == "9.9 s" && Measure.length(.seconds(10)) == "10 s")
        #expect(Measure.clock(.seconds(-5)) == "0:00")
        #expect(Measure.bytes(0) == "0 kB")
        #expect(Measure.bytes(999_999) == "999 kB")
        #expect(Measure.bytes(14_250_000) == "14.2 MB")
        #expect(Measure.bytes(3_210_000_000) == "3.2 GB")
    }

    private static func variants(_ title: String) -> [RecordProgress] {
        [
            RecordProgress(elapsed: .zero, bytes: 0, station: title),
            RecordProgress(
                elapsed: .seconds(12), bytes: 190_000, bitsPerSecond: 128_000, station: "Nova", title: title),
            RecordProgress(
                elapsed: .seconds(400_000), bytes: 123_456_789_012, bitsPerSecond: 1_411_200, station: "Nova",
                title: title, reconnects: 12_345),
            RecordProgress(
                elapsed: .seconds(400), bytes: 6_400_000, bitsPerSecond: 128_000, station: "Nova", title: "Old",
                reconnects: 3, waiting: title),
        ]
    }
}
