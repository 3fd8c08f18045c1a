// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Foundation
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing
import Words

@testable import Daemon

struct HookEventTests {
    /// What hooks are sent about an event of the daemon.
    private func hook(
        _ event: DaemonEvent, underWay: @escaping (_ station: String) -> [FileUnderWay] = { _ in [] }
    ) -> HookEvent? {
        var context = Occurrence.Context(now: WallInstant(nanoseconds: 0))
        context.underWay = underWay
        return Wording.occurrence(event, in: context)?.told
    }

    private func event(_ name: EventName) -> HookEvent {
        let zone = FixedZone(offset: 3600, identifier: "test")
        var event = HookEvent(name, at: WallInstant(nanoseconds: 1_795_636_800_000_000_000), in: zone)
        event.station = "x"
        event.stationName = "Radio X"
        event.show = "jazz"
        event.showName = "Jazz Hour"
        return event
    }

    @Test("A whole event is one JSON object") func wholeEvent() {
        var event = event(.recordingFinished)
        event.recording = "r1"
        event.files = ["/a/b.mp3"]
        event.seconds = 3598.5
        event.bytes = 86_400_000
        event.gaps = 2
        event.cause = "the end"
        let text = event.json.text()
        #expect(
            text == #"{"event":"recording-finished","at":"\#(event.at.rfc3339)","station_id":"x","station":"Radio X","#
                + #""show_id":"jazz","show":"Jazz Hour","recording":"r1","files":["/a/b.mp3"],"seconds":3598.5,"#
                + #""bytes":86400000,"gaps":2,"cause":"the end"}"#)
        #expect(event.at.rfc3339.hasSuffix("+01:00"))
    }

    @Test("A gap names the recording that lost the audio, even if the recording has no file yet") func withoutFile() {
        let key = UseKey("fip", .log)
        let gap = Sidecar.Gap(
            at: CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0), milliseconds: 1, cause: "the disk is full",
            tried: [], position: 0)
        func event(_ event: DaemonEvent) -> HookEvent? {
            hook(event) { _ in [FileUnderWay(key: key, recording: "r1", file: nil)] }
        }
        let lost = event(.use(key, .recorder(.lost(gap))))
        #expect(lost?.recording == "r1" && lost?.files.isEmpty == true)
        // A recording that has not begun lacks nothing that the station lost.
        let station = event(.station("fip", .gap(Gap(at: WallInstant(nanoseconds: 0), length: nil, cause: "gone"))))
        #expect(station != nil && station?.recording == nil && station?.recordings.isEmpty == true)
    }

    @Test("I12: A gap before a recording is in its first file, even if that becomes known when it has others")
    func firstFile() {
        let key = UseKey("fip", .log)
        var uses = BegunUses()
        let since = MonotonicInstant(nanoseconds: 0)
        uses.begin(UseID("1"), BegunUses.Entry(key: key, plan: RecordingPlan("fip"), programmes: [], since: since))
        uses.note(recording: "r1", of: UseID("1"))
        #expect(uses.note(file: "/a.mp3", of: UseID("1")) && !uses.note(file: "/b.mp3", of: UseID("1")))
        let gap = Sidecar.Gap(
            at: CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0), milliseconds: 1, cause: "it is full",
            tried: [], position: 0)
        func files(_ notice: RecorderNotice) -> [String]? {
            hook(.use(key, .recorder(notice)), underWay: uses.filesUnderWay)?.files
        }
        #expect(files(.missingBefore(gap)) == ["/a.mp3"] && files(.lost(gap)) == ["/b.mp3"])
    }

    @Test("Every member is described in the documentation") func documented() throws {
        var event = event(.gap)
        event.date = CalendarDate(event.at)
        (event.from, event.until, event.missing) = (event.at, event.at, [.init(from: event.at, until: event.at)])
        (event.recording, event.recordings, event.files) = ("r", ["r"], [PathText.text(of: [0xFC])])
        (event.seconds, event.bytes, event.gaps, event.cause) = (1, 1, 1, "why")
        (event.isRecovered, event.isTrial) = (true, true)
        event.leftOut = ["missing": 1, "recordings": 1, "files": 1]
        guard case .object(let object) = event.json else { throw SetupError("an event is an object") }
        let page = #filePath.components(separatedBy: "/Tests/")[0] + "/docs/hooks.md"
        let rows = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }
        let described = rows.flatMap {
            ($0.split(separator: "|").first ?? "").matches(of: /`([a-z_]+)`/).map(\.output.1)
        }
        #expect(object.members.map(\.name).sorted() == described.map(String.init).sorted())
    }

    @Test("Unknown members are left out") func unknownMembers() {
        let event = HookEvent(.diskLow, at: WallInstant(nanoseconds: 0), in: FixedZone.utc)
        #expect(event.json.text() == #"{"event":"disk-low","at":"1970-01-01T00:00:00.000Z"}"#)
    }

    @Test("An event that is stored for the next run keeps what its lists lack") func storedEvent() throws {
        var event = event(.fileFinished)
        event.isRecovered = true
        event.files = ["/a", "/b", "/c"]
        event.recordings = ["r1", "r2"]
        let stored = event.json(atMost: 1)
        let read = try #require(HookEvent(json: stored))
        #expect(read.isRecovered && read.json == stored)
        #expect(stored["files_left_out"] == 2 && stored["recordings_left_out"] == 1)
        let whole = try #require(HookEvent(json: event.json))
        #expect(whole.json == event.json && whole.isRecovered)
    }

    @Test("A recovered file has the names of its sidecar if the configuration has none") func recoveredNames() throws {
        let format = StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2)
        var sidecar = Sidecar(.growing, format: format)
        (sidecar.stationID, sidecar.station) = ("gone", "Radio Gone")
        let finished = FinishedBundle(path: "/r/a.mp3", sidecar: sidecar, isRecovered: true)
        let event = try #require(hook(.fileFinished(finished)))
        #expect(event.station == "gone" && event.stationName == "Radio Gone" && event.showName == nil)
    }

    @Test("A recording that ends while it cannot be written ends the fault") func endedFault() {
        var faults = DiskFaults()
        let (use, key) = (UseID("1"), UseKey("fip", .log))
        let error = StorageError(code: .missing, action: .openFolder, path: "/r")
        let begins = faults.note(.failing(error), of: use, key, at: WallInstant(nanoseconds: 0))
        let ends = (faults.end(UseID("2"), UseKey("b", .log)), faults.end(use, key), faults.end(use, key))
        #expect(!begins && ends == (false, true, false))
    }

    @Test("Audio that the disk does not take is a gap") func lostAudio() throws {
        let key = UseKey("fip", .log)
        func hook(_ notice: RecorderNotice) -> HookEvent? { self.hook(.use(key, .recorder(notice))) }
        let at = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        let gap = Sidecar.Gap(at: at, milliseconds: 1_500, cause: "it is full", tried: [], position: 7)
        let lost = try #require(hook(.lost(gap)))
        #expect(lost.name == .gap && lost.station == "fip" && lost.seconds == 1.5 && lost.cause == "it is full")
        let failing = try #require(hook(.failing(StorageError(code: .missing, action: .openFolder, path: "/r"))))
        #expect(failing.name == .diskFailing && failing.cause?.contains("/r") == true)
        // A full disk has an event of its own, `disk-low`.
        #expect(
            hook(.failing(StorageError(code: .noSpace, action: .write, path: "/r"))) == nil && hook(.resumed) == nil)
    }

    @Test("Audio that was found later is an event, and the log says in which file it is now") func healed() throws {
        let at = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)
        let audio = Sidecar.Healed(
            at: at, milliseconds: 7_500, position: 7, frames: 300, by: "a second connection", after: 9_000)
        func notice(_ rest: Int64?) -> DaemonEvent {
            .use(UseKey("fip", .log), .recorder(.healed(HealedAudio(path: "/r/a.mp3", audio: audio, rest: rest))))
        }
        let event = try #require(hook(notice(0)))
        #expect(event.name == .recordingHealed && event.station == "fip" && event.seconds == 7.5)
        #expect(event.files == ["/r/a.mp3"] && event.cause == "it came from a second connection")
        #expect(event.from == at && event.until?.rfc3339 == "1970-01-01T00:00:07.500Z")
        let sentence = "healed: 7.5 s that came from a second connection were put into /r/a.mp3"
        let rests: [(Int64?, String)] = [
            (0, ""), (2_000, "; 2.0 s are still missing"), (nil, "; how much is still missing is unknown"),
        ]
        for (rest, words) in rests {
            let context = Occurrence.Context(now: WallInstant(nanoseconds: 0))
            #expect(Wording.occurrence(notice(rest), in: context)?.sentence == "[fip] " + sentence + words)
        }
    }

    @Test("The example of the configuration lists each event once, and its hooks name no others") func example() throws
    {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        let example = String(decoding: try bytes(ofFile: "/\(root)/config.example.toml"), as: UTF8.self)
        let names = EventName.all.map(\.rawValue)
        let list = example.split(separator: "The events are\n#\n").last?.split(separator: "\n#\n").first
        let listed = try #require(list).matches(of: #/\#   ([a-z-]+(?:, [a-z-]+)*): /#).flatMap {
            $0.output.1.split(separator: ", ").map(String.init)
        }
        #expect(listed.sorted() == names.sorted())
        for hook in example.split(separator: "\n") where hook.hasPrefix("#on = ") {
            for name in hook.matches(of: /"([^"]+)"/) { #expect(names.contains(String(name.output.1)), "\(hook)") }
        }
    }

    @Test("Hostile text stays within its line, and events stay small") func hostileText() {
        for name in EventName.all {
            var event = event(name)
            let evil = "-f $(reboot)\r\nBcc: all@example.org\r\n.\r\n\u{1b}[2J\u{202e}é"
            event.stationName = evil
            event.showName = evil + String(repeating: "ü", count: 5000)
            event.cause = evil + String(repeating: "ä", count: 100_000)
            event.files = (0..<600).map { "/\($0)\n" + String(repeating: "p", count: 600) }
            (event.seconds, event.bytes, event.gaps) = (.infinity, .max, .max)
            #expect(event.json["files"]?.arrayValue?.count == HookEvent.mostListed)
            #expect(event.json["files_left_out"]?.integerValue == 100)
            event.recordings = (0..<501).map { "\($0)" }
            #expect(event.json["recordings"]?.arrayValue?.count == HookEvent.mostListed)
            #expect(event.json["recordings_left_out"]?.integerValue == 1)
            #expect((event.json["cause"]?.stringValue?.utf8.count ?? 0) <= 1000)
            #expect(!event.json.text().contains("\n"))
        }
    }
}
