// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing
import Words

@testable import Daemon

/// On which occasions a running daemon sends hooks an event, and what the event contains.
struct HookOccasionTests {
    private static let broadcast = Broadcast([.music(.seconds(400))], MPEGShape(48))

    private static func script(_ absences: LiveScript.Absence...) -> LiveScript {
        return LiveScript(.stream(LiveStream(broadcast, burst: 24_000)), absences: absences)
    }

    /// A station with a name of its own.
    private static func station(
        _ host: String, record: StationConfiguration.RecordMode = .shows,
        shows: [StationConfiguration.ShowConfiguration] = []
    ) -> StationConfiguration {
        var station = DaemonRig.station(host, record: record, shows: shows)
        station.name = "Radio \(host)"
        station.relay = nil
        return station
    }

    private static func show(
        _ rig: DaemonRig, _ id: String, from: Double, to: Double
    ) throws -> StationConfiguration.ShowConfiguration {
        var show = try rig.show(id, from: from, to: to)
        show.show.name = "The \(id)"
        return show
    }

    @Test("A station that is unavailable for long is reported as down, and as back with the length of the outage")
    func stationDown() throws {
        let rig = try DaemonRig(["fip": Self.script(.init(.seconds(20), for: .seconds(100), .gone))])
        rig.apply(try rig.configuration([Self.station("fip", record: .always)]), for: 75)
        #expect(rig.told.map(\.name) == [.recordingStarted])
        rig.run(21)
        #expect(rig.told.map(\.name) == [.recordingStarted, .stationDown])
        rig.run(60)
        // The recording continues, and has the gap.
        #expect(rig.told.map(\.name) == [.recordingStarted, .stationDown, .gap, .stationBack])
        for event in rig.told { #expect(event.station == "fip" && event.stationName == "Radio fip") }
        #expect(rig.told[1].cause?.isEmpty == false && rig.told[2].cause?.isEmpty == false)
        // The burst covers a part of the gap.
        let (gap, away) = (try #require(rig.told[2].seconds), try #require(rig.told[3].seconds))
        #expect((90...105).contains(gap) && (100...140).contains(away), "\(gap) \(away)")
    }

    @Test("A station that is back within a minute is not reported as down") func briefOutage() throws {
        let rig = try DaemonRig(["fip": Self.script(.init(.seconds(20), for: .seconds(40), .gone))])
        rig.apply(try rig.configuration([Self.station("fip", record: .always)]), for: 160)
        #expect(rig.told.map(\.name) == [.recordingStarted, .gap])
    }

    @Test(
        "A station that answers without audio is reported as down once",
        arguments: [
            LiveScript(.status(404, "Not Found")), LiveScript(.status(401, "Unauthorized")),
            LiveScript(.status(503, "Busy")), LiveScript(.text("<html>", type: "text/html")), LiveScript(.silence),
            LiveScript(.hangUp),
        ])
    func noAudio(_ script: LiveScript) throws {
        let rig = try DaemonRig(["fip": script])
        rig.apply(try rig.configuration([Self.station("fip", record: .always)]), for: 200)
        #expect(rig.told.map(\.name) == [.stationDown] && rig.told.first?.cause?.isEmpty == false, "\(rig.told)")
    }

    @Test("A show that is recorded whole is reported as started, finished and complete, and nothing else")
    func wholeShow() throws {
        let rig = try DaemonRig(["fip": Self.script()])
        let station = Self.station("fip", shows: [try Self.show(rig, "jazz", from: 20, to: 50)])
        rig.apply(try rig.configuration([station]), for: 120)
        let told = rig.told
        #expect(told.map(\.name) == [.recordingStarted, .recordingFinished, .showComplete])
        for event in told {
            #expect(event.station == "fip" && event.stationName == "Radio fip")
            #expect(event.show == "jazz" && event.showName == "The jazz")
            let isResult = event.name == .showComplete
            #expect(event.recording == (isResult ? nil : "recording 1"))
            #expect(event.recordings == (isResult ? ["recording 1"] : []))
            #expect(event.files == [rig.folder.file("recordings/jazz.mp3")])
        }
        let finished = try #require(told.dropLast().last)
        #expect(finished.seconds.map { abs($0 - 30) < 0.1 } == true && finished.gaps == 0 && finished.cause == nil)
        #expect(finished.bytes == Int64(try rig.audio("jazz.mp3").count))
    }

    @Test("A show with a hole is reported as incomplete, with what is missing") func incompleteShow() throws {
        let rig = try DaemonRig(["fip": Self.script(.init(.seconds(40), for: .seconds(10), .gone))])
        let station = Self.station("fip", shows: [try Self.show(rig, "jazz", from: 20, to: 70)])
        rig.apply(try rig.configuration([station]), for: 140)
        let told = rig.told
        #expect(told.map(\.name) == [.recordingStarted, .gap, .recordingFinished, .recordingIncomplete])
        #expect(told[2].gaps == 1 && told[2].show == "jazz")
        let lost = try #require(told[3].seconds)
        #expect(told[3].showName == "The jazz" && told[3].stationName == "Radio fip" && (5...10).contains(lost))
        #expect(told[3].recordings == ["recording 1"] && told[3].recording == nil)
        #expect(told[3].files == [rig.folder.file("recordings/jazz.mp3")] && told[3].files == told[2].files)
    }

    @Test("An incomplete show names the recordings and files of both runs of the daemon") func bothRuns() throws {
        let rig = try DaemonRig(["fip": Self.script()])
        let station = Self.station("fip", shows: [try Self.show(rig, "jazz", from: 20, to: 70)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        rig.run(35)
        rig.restart(away: 15)
        try rig.beginWithCatalog(configuration)
        rig.run(40)
        #expect(rig.reactor.pump { rig.told.contains { $0.name == .recordingIncomplete } }, "\(rig.told)")
        let incomplete = try #require(rig.told.last)
        #expect(incomplete.name == .recordingIncomplete && incomplete.recordings.count == 2, "\(incomplete)")
        let files = rig.files.map { rig.folder.file("recordings/\($0)") }
        #expect(Set(incomplete.files) == Set(files) && files.count == 2, "\(incomplete)")
    }

    @Test("A show of an unavailable station is missed, and the station is down only while it is needed")
    func missedShow() throws {
        let gone = Self.script(.init(.zero, for: .seconds(300), .gone))
        let rig = try DaemonRig(["long": gone, "short": LiveScript(.silence)])
        var (long, short) = (Self.station("long"), Self.station("short"))
        long.shows = [try Self.show(rig, "news", from: 20, to: 100)]
        short.shows = [try Self.show(rig, "quiz", from: 10, to: 30)]
        rig.apply(try rig.configuration([long, short]), for: 200)
        let told = rig.told
        // After the show, nothing needs the station.
        let names = told.filter { $0.station == "long" }.map(\.name)
        #expect(names == [.stationDown, .showMissed, .stationBack], "\(names)")
        #expect(told.filter { $0.station == "short" }.map(\.name) == [.showMissed])
        let missed = try #require(told.last { $0.name == .showMissed })
        #expect(missed.showName == "The news" && missed.files.isEmpty)
        #expect(missed.seconds.map { abs($0 - 80) < 0.1 } == true)
    }

    @Test("A station on demand is not down while nobody listens") func onDemand() throws {
        let rig = try DaemonRig(["fip": Self.script(.init(.seconds(20), for: .seconds(200), .gone))])
        var station = DaemonRig.station("fip")
        station.relay?.isOnDemand = true
        rig.apply(try rig.configuration([station]), for: 1)
        let first = rig.listen("fip")
        rig.run(24) { _ = first.collect() }
        #expect(first.collect().body.count > 24_000)
        first.close()
        rig.run(275)
        #expect(rig.told.isEmpty, "\(rig.told)")
        let second = rig.listen("fip")
        rig.run(20) { _ = second.collect() }
        #expect(second.collect().body.count > 24_000 && rig.told.isEmpty, "\(rig.told)")
    }

    @Test("A disk with less room than it should have is reported as low once") func diskLow() throws {
        let rig = try DaemonRig(["fip": Self.script()])
        var configuration = try rig.configuration([Self.station("fip", record: .always)])
        configuration.storage.leastFree = .max
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        // The disk is checked after ten seconds, and again five minutes later.
        rig.live(340, step: 170)
        // Writer and catalog have threads of their own, so the order may vary.
        #expect(rig.told.map(\.name.rawValue).sorted() == ["disk-low", "recording-started"])
        let low = try #require(rig.told.first { $0.name == .diskLow })
        #expect(low.bytes.map { $0 > 0 } == true && low.station == nil)
    }

    @Test("A gap says when it was, in which recording and in which file") func gapPlace() throws {
        let rig = try DaemonRig(["fip": Self.script(.init(.seconds(40), for: .seconds(10), .gone))])
        let station = Self.station("fip", shows: [try Self.show(rig, "jazz", from: 20, to: 70)])
        rig.apply(try rig.configuration([station]), for: 140)
        let gap = try #require(rig.told.first { $0.name == .gap })
        #expect(gap.recording == "recording 1" && gap.files == [rig.folder.file("recordings/jazz.mp3")])
        let (from, until) = (try #require(gap.from?.instant), try #require(gap.until?.instant))
        #expect(gap.show == "jazz" && gap.date == CalendarDate(CivilTime(rig.began, utcOffset: 0)))
        #expect(abs((from - rig.began) / .seconds(1) - 40) < 1, "\(from - rig.began)")
        #expect(gap.seconds.map { abs((until - from) / .seconds(1) - $0) < 0.001 } == true)
        let text = gap.json.text()
        #expect(text.contains(#""from":""#) && text.contains(#""until":""#) && text.contains(#""date":""#))
    }

    @Test("A result says which broadcast it is about, what is missing, and why") func resultPlace() throws {
        let rig = try DaemonRig([
            "fip": Self.script(.init(.seconds(40), for: .seconds(10), .gone)), "gone": LiveScript(.status(404, "Gone")),
        ])
        var (fip, gone) = (Self.station("fip"), Self.station("gone"))
        fip.shows = [try Self.show(rig, "jazz", from: 20, to: 70)]
        gone.shows = [try Self.show(rig, "news", from: 20, to: 70)]
        rig.apply(try rig.configuration([fip, gone]), for: 140)
        let told = rig.told.filter { [.recordingIncomplete, .showMissed].contains($0.name) }
        #expect(Set(told.map(\.show)) == ["jazz", "news"])
        for event in told {
            #expect(event.date == CalendarDate(CivilTime(rig.began, utcOffset: 0)))
            #expect(event.from?.instant == rig.began + .seconds(20) && event.until?.instant == rig.began + .seconds(70))
            #expect(event.cause?.isEmpty == false, "\(event)")
            let length = event.missing.reduce(0.0) { $0 + ($1.until.instant - $1.from.instant) / .seconds(1) }
            #expect(event.seconds.map { abs($0 - length) < 0.01 } == true)
            // Milliseconds, not the digits of binary fractions.
            let seconds = event.json["seconds"].map { $0.text() } ?? ""
            #expect(seconds.split(separator: ".").last.map { $0.count <= 3 } == true, "\(seconds)")
        }
        #expect(told.first { $0.show == "news" }?.cause?.contains("404") == true)
    }

    @Test("A show that came and went while no daemon ran was missed because none ran") func notRunning() throws {
        let rig = try DaemonRig(["fip": Self.script()])
        let station = Self.station("fip", shows: [try Self.show(rig, "jazz", from: -300, to: -100)])
        let earlier = EarlierRun(alive: .init(judgedUntil: rig.began - .seconds(600)))
        rig.daemon.begin(LoadedConfiguration(try rig.configuration([station])), after: earlier)
        rig.run(5)
        let missed = try #require(rig.told.first { $0.name == .showMissed })
        #expect(missed.cause == "Aircheck was not running")
    }

    @Test("A full disk is told with the words that recordings wait, and a low one without") func fullDisk() {
        func cause(_ level: DiskAlarm.Level) -> String? {
            Wording.occurrence(.disk(level, free: 1), in: .init(now: WallInstant(nanoseconds: 0)))?.told?.cause
        }
        #expect(cause(.full)?.contains("recordings wait") == true && cause(.low) == nil && cause(.well) == nil)
    }

    @Test("The end of a fault of the disk is told, for the recording that had it") func diskWell() throws {
        let rig = try DaemonRig(["fip": Self.script()])
        rig.apply(try rig.configuration([Self.station("fip", record: .always)]), for: 10)
        rig.system.setErrors(["writev": EIO, "pwrite": EIO, "create": EIO])
        rig.run(10)
        #expect(rig.told.last?.name == .diskFailing)
        rig.system.setErrors([:])
        rig.run(30)
        let well = try #require(rig.told.last)
        #expect(well.name == .diskWell && well.station == "fip")
        #expect(rig.told.count { $0.name == .diskFailing } == rig.told.count { $0.name == .diskWell })
    }
}
