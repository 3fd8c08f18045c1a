// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import HTTPServer
import Instants
import RadioCore
import Stations
import Testing
import Words

@testable import Control

/// What a daemon writes about its work.
struct DaemonLogTests {
    private let kept = Kept()

    /// A log whose lines are kept instead of written.
    private final class Kept {
        private var lines: [String] = []
        private(set) lazy var log = DaemonLog(LogSettings(), zone: FixedZone.utc, isJournal: false) { [unowned self] in
            lines.append($0)
        }

        func note(_ event: DaemonEvent) {
            Wording.occurrence(event, in: .init(now: WallInstant(nanoseconds: 0))).map(log.write)
        }

        func use(_ format: LogSettings.Format, _ level: LogSettings.Level) {
            var settings = LogSettings()
            (settings.format, settings.level) = (format, level)
            log.use(settings)
        }

        /// The lines since the last call.
        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    @Test("H21: The log shows bytes of paths that are not UTF-8, and its JSON says how it writes them") func rawBytes()
    {
        let fields = ["file": "s\u{10FEFC}.mp3"]
        let line = LogLine(level: .info, name: "finished", fields: fields, sentence: "finished s\u{10FEFC}.mp3")
        let now = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        #expect(line.text(.text, at: now, isJournal: true).hasSuffix("finished s\\xFC.mp3\n"))
        #expect(line.text(.json, at: now, isJournal: false).contains("\"raw_bytes\""))
    }

    @Test("Other settings change the log's format, from the next entry on") func format() {
        kept.note(.clockNotSet)
        #expect(kept.take().allSatisfy { !$0.hasPrefix("{") })
        kept.use(.json, .info)
        kept.note(.clockNotSet)
        #expect(kept.take().map { $0.hasPrefix("{") } == [true])
        kept.use(.text, .info)
        kept.note(.clockNotSet)
        #expect(kept.take().map { $0.hasPrefix("{") } == [false])
    }

    @Test("Other settings change the log's level") func level() {
        let isQuiet = DaemonEvent.station("fip", .connecting(url: "http://fip.example/", attempt: 1))
        kept.note(isQuiet)
        #expect(kept.take().isEmpty)
        kept.use(.text, .debug)
        kept.note(isQuiet)
        #expect(kept.take().count == 1)
        kept.use(.text, .error)
        kept.note(isQuiet)
        #expect(kept.take().isEmpty)
    }

    @Test("An address in use is logged once, and so is its becoming free")
    func addressInUse() throws {
        let failure = Failure(
            .listening, "cannot listen on 127.0.0.1:8000: Address already in use", remedy: "choose another port")
        for _ in 0..<20 { kept.note(.notListening(failure)) }
        let said = kept.take()
        #expect(said.count == 1 && said.first?.contains("Aircheck tries again every few seconds") == true, "\(said)")
        kept.note(.listening([try #require(SocketAddress("127.0.0.1:8000"))]))
        let works = kept.take()
        #expect(works.count == 1 && works.first?.contains("listening on 127.0.0.1:8000") == true, "\(works)")
    }

    @Test("An unusable configuration is one entry with the number of its problems") func unusable() {
        kept.note(
            .notConfigured(UnusableConfiguration(.configuration, ["a:1: x", "a:2: y", "a:3: z"], remedy: "r")))
        let said = kept.take()
        #expect(said.count == 1 && said.first?.contains("a:1: x (and 2 other problems") == true, "\(said)")
        kept.note(.notConfigured(UnusableConfiguration(.usage, ["b"], remedy: "r")))
        #expect(kept.take().first?.contains("applies: b: r") == true)
    }

    @Test("The JSON of the log has the time of a broadcast that is not the first of its date")
    func timeOfBroadcast() throws {
        kept.use(.json, .info)
        let (date, time) = (try CalendarDate(parsing: "2026-11-27"), try TimeOfDay(parsing: "20:30"))
        let key = UseKey("fip", .airing(show: "jazz", date: date, time: time))
        kept.note(.recordingBegan(key, recording: "r1", path: "/r/a.mp3", late: .seconds(5)))
        #expect(kept.take().first?.contains("\"show_time\":\"\(time)\"") == true)
    }

    @Test("A player without sound is a warning with its cause, and the return of sound is a notice") func sound() {
        let failure = Failure(.sound, "no sound server answers", remedy: "start one")
        kept.note(.soundLost("fip", failure))
        let lost = kept.take()
        #expect(lost.count == 1 && lost.first?.contains("warning: [fip] no sound: no sound server answers") == true)
        kept.note(.soundBack("fip"))
        let back = kept.take()
        #expect(back.count == 1 && back.first?.contains("notice: [fip] there is sound again") == true, "\(back)")
    }

    @Test("A31: A change of station is a warning that names what differs, whatever name the user gave")
    func changedStation() {
        func info(_ name: String?, _ number: Int) -> StationInfo {
            let fields = name.map { [StationInfo.Field(name: "icy-name", value: $0)] } ?? []
            var info = StationInfo(kind: .live, name: "Mine", url: "http://\(number).test/", icyFields: fields)
            info.entry = StationInfo.Entry(number: number, count: 2)
            return info
        }
        kept.note(.station("fip", .changed(from: info("B", 2), to: info("A", 1))))
        kept.note(.station("fip", .changed(from: info(nil, 2), to: info(nil, 1))))
        let said = kept.take()
        let texts = [
            "warning: [fip] A (entry 1, http://1.test/) follows, another station of the list than B (entry 2, http://2.",
            "warning: [fip] entry 1, http://1.test/ follows, another station of the list than entry 2, http://2.test/",
        ]
        #expect(said.count == 2 && zip(said, texts).allSatisfy { $0.contains($1) }, "\(said)")
    }

    @Test("A31: A mirror whose server sends another name is a warning that names both") func otherName() {
        let fields = [StationInfo.Field(name: "icy-name", value: "B")]
        let info = StationInfo(kind: .live, name: "Mine", url: "http://b.test/", icyFields: fields)
        kept.note(.station("fip", .renamed(info, from: "A")))
        let said = kept.take()
        #expect(said.first?.contains("warning: [fip] B (http://b.test/) counts as the same station as A") == true)
        #expect(said.count == 1, "\(said)")
    }

    @Test("A32: The entry of a list is named if it is not the first", arguments: [1, 2]) func entry(number: Int) {
        var info = StationInfo(kind: .live, name: "A", url: "http://a.test/")
        info.entry = StationInfo.Entry(number: number, count: 3)
        kept.note(.station("fip", .connected(info)))
        let said = kept.take()
        let text = "entry 2 of 3 of the list; the entries before it are tried again"
        #expect(said.count == 1 && said.first?.contains(text) == (number == 2), "\(said)")
    }

    @Test("A35: That a list has lost the station's entry is a warning; the choice of an entry alone is not logged")
    func lostChoice() {
        let new = ListChoice(addresses: ["http://new.test/x?token=1"], name: nil)
        let old = ListChoice(addresses: ["http://list.test/", "http://u:p@old.test/"], name: "Old")
        kept.note(.station("fip", .chose(new, insteadOf: nil)))
        #expect(kept.take().isEmpty)
        kept.note(.station("fip", .chose(new, insteadOf: old)))
        let said = kept.take()
        #expect(said.first?.contains("warning: [fip] the list has the entry Old (http://old.test/) no longer") == true)
        #expect(said.first?.contains("the station: http://new.test/x") == true && said.count == 1, "\(said)")
    }

    @Test("A free-space larger than the disk is a warning with its line and both sizes") func floorAboveDisk() {
        kept.note(.doubtful(.floorAboveDisk(floor: 9_000_000_000_000, disk: 64_000_000_000, line: 7)))
        let said = kept.take()
        #expect(said.count == 1 && said.first?.contains("warning: line 7: free-space asks for 9") == true, "\(said)")
        #expect(said.first?.contains("64") == true, "\(said)")
    }
}
