// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Restarts while a station in HLS is recorded, whose list reaches back to before the restart.
struct SegmentRestartTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var isShow: Bool
        var isCrash: Bool
        var window: Int

        var testDescription: String {
            "\(isShow ? "a show" : "always"), \(isCrash ? "killed" : "stopped"), a list of \(window) s"
        }
    }

    static let cases = [true, false].flatMap { isShow in
        [true, false].flatMap { isCrash in
            [60, 300].map { Case(isShow: isShow, isCrash: isCrash, window: $0) }
        }
    }

    /// How long the daemon is away, and when the show is on.
    private static let (away, show) = (30.0, 5.0..<110.0)
    private static let titles = stride(from: 0, to: 400, by: 7).map { "Song \($0)" }

    private static func rig(_ window: Int, _ change: (inout HLSScript) -> Void = { _ in }) throws -> DaemonRig {
        var rendition = HLSRendition(DaemonRig.programme, window: window)
        rendition.titles = titles.enumerated().map { (.seconds($0 * 7), $1) }
        var script = HLSScript(rendition)
        script.onAir = .seconds(DaemonRig.onAir)
        change(&script)
        return try DaemonRig(["fip": VirtualHLS(script, in: PolledReactor()).live])
    }

    private static func configuration(_ rig: DaemonRig, isShow: Bool) throws -> Configuration {
        let shows = isShow ? [try rig.show("one", from: show.lowerBound, to: show.upperBound)] : []
        var station = DaemonRig.station("fip", record: isShow ? .shows : .always, shows: shows)
        station.source = StationSettings(urls: ["http://fip/live.m3u8"], userAgent: "test")
        return try rig.configuration([station])
    }

    private static func restart(_ rig: DaemonRig, _ configuration: Configuration, isCrash: Bool) throws {
        if isCrash { rig.crash(away: .seconds(away)) } else { rig.restart(away: away) }
        try rig.startAgain(configuration)
    }

    /// The recordings, with the times of their audio, in the order of these.
    private static func recordings(
        _ rig: DaemonRig
    ) throws -> [(name: String, sidecar: Sidecar, from: Double, to: Double)] {
        let sidecars = try rig.sidecars()
        return try rig.files.map { file in
            let name = String(file.prefix { $0 != "." })
            let span = try rig.span(file)
            return (name, try #require(sidecars[name]), span.from, span.to)
        }.sorted { $0.to < $1.to }
    }

    @Test("A restart that the list reaches back over loses nothing, and the audio in both is known", arguments: cases)
    func restart(_ restart: Case) throws {
        let rig = try Self.rig(restart.window)
        let configuration = try Self.configuration(rig, isShow: restart.isShow)
        try rig.beginWithCatalog(configuration, for: 50)
        try Self.restart(rig, configuration, isCrash: restart.isCrash)
        rig.live(75)
        if !restart.isShow { rig.apply(try rig.configuration([]), for: 5) }
        let found = try Self.recordings(rig)
        try #require(found.count == 2, "\(rig.files)")
        let (first, second) = (found[0], found[1])
        // Every frame is in one of both, and what is in both is not much more than what the first was behind.
        #expect(second.from <= first.to + 0.03, "\(first.to) \(second.from)")
        #expect(second.from >= first.to - 200)
        if restart.isShow {
            #expect(abs(first.from - Self.show.lowerBound) < 0.1 && abs(second.to - Self.show.upperBound) < 0.1)
            #expect(rig.results["one"]?.verdict == .complete)
        }
        #expect(second.sidecar.continues == first.sidecar.recording)
        for (_, sidecar, from, to) in found {
            #expect(sidecar.gaps.isEmpty, "\(sidecar.gaps)")
            let at = try #require(sidecar.at).instant
            #expect(abs((at - rig.began).inSeconds - from) < 0.1)
            #expect(sidecar.frames == Int64(((to - from) * 44_100 / 1_152).rounded()))
            let late = sidecar.titles.filter { abs(($0.at.instant - at).inSeconds + from - Self.begin($0.text)) > 1.1 }
            #expect(late.dropFirst().isEmpty && sidecar.titles.count > 5, "\(late)")
        }
        #expect(rig.told.filter { $0.name == .gap }.isEmpty)
        // Exported together, they are the programme.
        let whole = try Self.joined(rig, [first.name, second.name])
        let places = DaemonRig.programme.stretch(of: whole, startingAt: DaemonRig.programme.starts)
        let frames = Int(((second.to - min(first.from, second.from)) * 44_100 / 1_152).rounded())
        #expect(places?.count == frames)
    }

    private static func joined(_ rig: DaemonRig, _ names: [String]) throws -> [UInt8] {
        let path = rig.folder.file("recordings")
        let segments = names.compactMap { Library(path: path).segment(at: ["\($0).mp3"]) }
        let exporter = RecordingExporter(path: path)
        _ = try exporter.export(
            exporter.joining(segments, from: nil, until: nil).excerpt, toFile: rig.folder.file("whole.mp3"))
        return try rig.folder.read("whole.mp3")
    }

    /// When a title begins, in seconds since the beginning of the test.
    private static func begin(_ title: String) -> Double {
        Double(titles.firstIndex(of: title) ?? -1_000) * 7 - DaemonRig.onAir
    }

    @Test("What an outage before a restart has cost comes from the list after it") func outage() throws {
        let away = DaemonRig.onAir + 40
        let rig = try Self.rig(300) {
            $0.faults = [.everything(during: .seconds(away)..<(.seconds(away + 240)), .status(503))]
        }
        let configuration = try Self.configuration(rig, isShow: false)
        try rig.beginWithCatalog(configuration, for: 270)
        rig.crash(away: .seconds(20))
        try rig.startAgain(configuration, for: 20)
        rig.apply(try rig.configuration([]), for: 5)
        let found = try Self.recordings(rig)
        try #require(found.count == 2, "\(rig.files)")
        #expect(found[1].from <= found[0].to + 0.03, "\(found[0].to) \(found[1].from)")
        #expect(found.flatMap(\.sidecar.gaps).isEmpty)
    }
}
