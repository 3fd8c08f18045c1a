// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioFormats
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

@testable import RadioCore

/// A station that changes its format: no file has two formats, and every file plays.
@Suite("Format changes")
struct FormatChangeTests {
    /// What a station sends, one programme after another.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stretches: [ReferenceProgramme.Parameters]
    }

    private static let programme = ReferenceProgramme.Parameters(.mp3(128), seconds: 6, seed: 1)

    /// Changes within one connection, as when automation switches to an advert and back.
    static let inMidStream = [
        Change(
            testDescription: "an advert with another sample rate",
            stretches: [programme, .init(.mp3(128), sampleRate: 48_000, seconds: 3, seed: 2), programme]),
        Change(
            testDescription: "stereo, mono, stereo",
            stretches: [programme, .init(.mp3(64), channels: 1, seconds: 3, seed: 2), programme]),
        Change(
            testDescription: "layer III, layer II",
            stretches: [programme, .init(.mp2(192), seconds: 3, seed: 2)]),
        Change(
            testDescription: "AAC with another sample rate",
            stretches: [
                .init(.aac(96), seconds: 6, seed: 1), .init(.aac(96), sampleRate: 48_000, seconds: 3, seed: 2),
            ]),
        Change(
            testDescription: "Opus, then Vorbis, in one chain",
            stretches: [
                .init(.opus(96), sampleRate: 48_000, seconds: 6, seed: 1), .init(.vorbis(128), seconds: 3, seed: 2),
            ]),
    ]

    /// Changes from one connection to the next.
    static let afterReconnect = [
        Change(
            testDescription: "MP3, AAC, MP3",
            stretches: [programme, .init(.aac(96), seconds: 3, seed: 2), programme]),
        Change(
            testDescription: "MP3, Opus",
            stretches: [programme, .init(.opus(96), sampleRate: 48_000, seconds: 3, seed: 2)]),
    ]

    @Test(
        "A format change in mid-stream begins another file at that frame, even if nothing else does",
        arguments: inMidStream)
    func midStream(_ change: Change) async throws {
        let programmes = try await Self.make(change)
        let rig = try RecorderRig { $0.policy = .none }
        rig.play(programmes.flatMap(\.bytes), with: FormatTests.framer(for: change.stretches[0].encoding))
        try await check(rig, programmes)
    }

    @Test(
        "A format change after a reconnect begins another file, and the gap is in that file", arguments: afterReconnect)
    func reconnect(_ change: Change) async throws {
        let programmes = try await Self.make(change)
        let rig = try RecorderRig { $0.policy = .period(.seconds(3_600)) }
        for (index, programme) in programmes.enumerated() {
            if index > 0 {
                rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: .seconds(1), cause: "the server went away")))
            }
            rig.play(programme.bytes, with: FormatTests.framer(for: change.stretches[index].encoding))
        }
        let sidecars = try await check(rig, programmes)
        #expect(sidecars.map(\.gaps.count) == [0] + programmes.dropFirst().map { _ in 1 })
        #expect(sidecars.flatMap(\.gaps).allSatisfy { $0.position == 0 })
    }

    @Test("E6: The files of a format change inside the first burst have dates in order and name each other")
    func insideBurst() throws {
        let rig = try RecorderRig { $0.policy = .none }
        rig.hub.attach(rig.recorder)
        rig.hub.announce(StationInfo(kind: .live, name: "FIP", url: "http://fip.example/live"))
        let second = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 1)
        let edge = rig.reactor.wallNow
        rig.hub.begin(RecorderRig.format)
        rig.hub.report(.firstJoin)
        let early = edge - .seconds(2)
        rig.hub.setAirTime(AirTime(origin: early, sampleRate: 44_100, isSettled: false))
        rig.feed(150)
        rig.hub.begin(second)
        rig.feed(150)
        // Both stretches together play 7.8 s, and end now.
        let length = Duration.samples(150 * 1_152, at: 44_100)
        rig.hub.setAirTime(AirTime(origin: edge - length, sampleRate: 44_100, isSettled: true))
        rig.feed(10)
        rig.pass(.seconds(1))
        let report = rig.stop()
        let sidecars = try report.files.map { file in
            let name = String(file.dropFirst(rig.folder.path.count + 1))
            return try #require(rig.sidecar("\(name.dropLast(4)).json"))
        }
        let names = report.files.map { String($0.dropFirst(rig.folder.path.count + 1)) }
        #expect(sidecars.map(\.previous) == [nil, names.first] && sidecars.map(\.next) == [names.last, nil])
        let dates = try sidecars.map { try #require($0.at) }
        try #require(dates.count == 2)
        #expect(abs((dates[0].instant - (edge - length * 2)).inSeconds) < 0.01, "\(dates)")
        #expect(abs((dates[1].instant - (edge - length)).inSeconds) < 0.01, "\(dates)")
    }

    /// Expects one file for each programme, with exactly that programme, linked to its neighbours, and accepted by
    /// other people's software without a complaint.
    @discardableResult
    private func check(_ rig: RecorderRig, _ programmes: [ReferenceProgramme]) async throws -> [Sidecar] {
        let report = rig.stop()
        try #require(report.files.count == programmes.count)
        let names = report.files.map { String($0.dropFirst(rig.folder.path.count + 1)) }
        var sidecars: [Sidecar] = []
        for (name, programme) in zip(names, programmes) {
            let found = try programme.checker().check(try rig.folder.read(name))
            #expect(found.isExact && found.first == 0, "\(found)")
            let decoding = try await FormatTests.run(
                .ffmpeg, ["-v", "error", "-i", rig.folder.file(name), "-f", "null", "-"])
            #expect(decoding.succeeded && decoding.standardError.isEmpty, "\(decoding.standardError)")
            if name.hasSuffix(".mp3") {
                let decoding = try await FormatTests.run(.mpg123, ["-t", "-q", rig.folder.file(name)])
                #expect(decoding.succeeded && decoding.standardError.isEmpty, "\(decoding.standardError)")
            }
            let base = name.dropLast(name.hasSuffix(".opus") ? 5 : 4)
            sidecars.append(try #require(rig.sidecar("\(base).json")))
        }
        #expect(sidecars.map(\.began) == [.start] + programmes.dropFirst().map { _ in .format })
        #expect(sidecars.map(\.next) == Array(names.dropFirst()) + [nil])
        #expect(sidecars.map(\.previous) == [nil] + Array(names.dropLast()))
        #expect(sidecars.map(\.frames) == report.segments.map(\.frames))
        return sidecars
    }

    private static func make(_ change: Change) async throws -> [ReferenceProgramme] {
        var programmes: [ReferenceProgramme] = []
        for parameters in change.stretches { programmes.append(try await ReferenceProgramme.make(parameters)) }
        return programmes
    }
}
