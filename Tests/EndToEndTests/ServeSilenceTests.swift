// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The alarm of the program for stations that are silent.
struct ServeSilenceTests {
    private static let scenes: [ReferenceProgramme.Scene] = [
        .music(8), .silence(5), .music(4), .hiss(5), .music(4), .tone(5), .music(6),
    ]

    private static func broadcast(_ encoding: ReferenceProgramme.Encoding) async throws -> Broadcast {
        var parameters = ReferenceProgramme.Parameters(encoding, seed: 5)
        parameters.scenes = scenes
        return try Broadcast(try await ReferenceProgramme.make(parameters))
    }

    @Test("A38: hooks, the sidecar, the log and the metrics of the program know when a station was silent")
    func alarm() async throws {
        let broadcast = try await Self.broadcast(.mp3(128))
        var script = LiveScript(.stream(LiveStream(broadcast, burst: 16_000)))
        script.onAir = .zero
        let serving = try Serving("")
        let path = serving.folder.file("calls")
        // The programme begins when the daemon connects, or the silence would be over before it does.
        try await serving.start()
        let wall = WallInstant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
        let origin = try ScriptedOrigin(script)
        try serving.configure(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"\nsilence = \"2s\"")
                + """
                [[hook]]
                on = ["silence", "sound-back"]
                run = ["/bin/sh", "-c", "cat >> '\(path)'; echo '#' >> '\(path)'"]

                """)
        #expect(try await serving.ask(["reload"]).succeeded)
        let isTold = try await waitUntil(.seconds(60)) {
            serving.log.components(separatedBy: "there is sound again").count == 4
        }
        #expect(isTold, "\(serving.log)")
        let request = Array("GET /metrics HTTP/1.0\r\n\r\n".utf8)
        let figures = String(
            decoding: try Loopback.exchange(port: serving.port, request, within: .seconds(20)), as: UTF8.self)
        #expect(figures.contains("aircheck_station_silent{station=\"fip\"} 0"), "\(figures)")
        #expect(figures.contains("aircheck_station_silences_total{station=\"fip\"} 3"), "\(figures)")
        let file = try #require(serving.files.first).replacing(".part", with: "")
        #expect(try await serving.stop().succeeded)

        let calls = String(decoding: try serving.folder.read("calls"), as: UTF8.self).split(separator: "#")
        let events = try calls.filter { $0.contains("{") }.map {
            try JSONValue(parsing: Array($0.utf8), limit: 1 << 16)
        }
        let names = ["silence", "sound-back", "silence", "sound-back", "silence", "sound-back"]
        #expect(events.map { $0["event"]?.stringValue } == names)
        // The frames of the silence are sent as they air.
        let starts = [8.0, 13, 17, 22, 26, 31]
        for (index, (event, start)) in zip(events, starts).enumerated() {
            let at = try #require(event["at"]?.stringValue.flatMap(CivilTime.init(rfc3339:))).instant
            let after = (at - wall).inSeconds - start - (index % 2 == 0 ? 2 : 1)
            #expect(-0.1..<1.3 ~= after, "\(after): \(event)")
        }
        let sidecar = try JSONValue(
            parsing: try serving.folder.read(file.replacing(".mp3", with: ".json")), limit: 1 << 20)
        let marks = (sidecar["silence"]?.arrayValue ?? []) + (sidecar["tone"]?.arrayValue ?? [])
        #expect(marks.count == 3, "\(sidecar)")
        let recorded = try serving.folder.read(file)
        let first = try #require(broadcast.stretch(of: recorded, startingAt: broadcast.starts)).lowerBound
        for (mark, start) in zip(marks, [8.0, 17, 26]) {
            let begin = Double(first) + Double(mark["position"]?.integerValue ?? 0)
            #expect(abs(begin * 1152 / 44_100 - start) < 0.2, "\(mark)")
            #expect(mark["seconds"]?.doubleValue.map { abs($0 - 5) < 0.2 } == true, "\(mark)")
        }
    }

    @Test("A42: an alarm that cannot hear its station says so once, and what is missing") func deaf() async throws {
        let broadcast = try await Self.broadcast(.aac(64))
        var stream = LiveStream(broadcast, burst: 16_000)
        stream.faults = [.inFrame(after: .seconds(2), .reset)]
        let origin = try ScriptedOrigin(LiveScript(.stream(stream)))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\"\nsilence = \"2s\""))
        try await serving.start(environment: ["PATH": "/nowhere"])
        #expect(try await waitUntil(.seconds(30)) { origin.log.accepts.count >= 3 }, "\(serving.log)")
        #expect(try await serving.stop().succeeded)
        let said = serving.log.components(separatedBy: "ffmpeg is not installed; install ffmpeg").count - 1
        #expect(said == 1, "\(serving.log)")
    }
}
