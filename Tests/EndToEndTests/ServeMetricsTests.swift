// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// The metrics of a running daemon.
struct ServeMetricsTests {
    /// The values of a daemon with one station, by their names without the common prefix.
    private static func metrics(_ port: Int) -> [String: Double] {
        let request = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let answer = (try? Loopback.exchange(port: port, request, within: .seconds(20))) ?? []
        var values: [String: Double] = [:]
        for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
            guard let match = line.firstMatch(of: /^aircheck_([a-z_]+)(?:\{.*\})? ([0-9.e+-]+)$/) else { continue }
            values[String(match.output.1)] = Double(match.output.2)
        }
        return values
    }

    @Test("The metrics show what happened to a station, its recording and the process")
    func values() async throws {
        let programme = Broadcast([.music(.seconds(150))], MPEGShape(128))
        let stream = LiveStream(programme)
        var cut = stream
        cut.faults = [.inFrame(after: .seconds(4), .reset)]
        let origin = try ScriptedOrigin(LiveScript(.stream(cut), .stream(stream)))
        let serving = try await Serving.started(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        #expect(try await waitUntil(.seconds(40)) { serving.log.contains("joined again") }, "\(serving.log)")
        let port = serving.port
        #expect(try await waitUntil(.seconds(40)) { (Self.metrics(port)["writer_syncs_total"] ?? 0) >= 1 })
        let values = Self.metrics(port)
        func value(_ name: String) -> Double { values[name] ?? -1 }
        #expect(value("station_reconnects_total") == 1 && value("station_splices_total") == 1, "\(values)")
        #expect(value("station_hedges_total") == 0 && value("station_gaps_total") == 0, "\(values)")
        #expect(value("station_frames_total") > 100 && value("station_bytes_total") > 40_000, "\(values)")
        let longest = value("writer_longest_sync_seconds")
        #expect(longest > 0 && value("writer_sync_seconds_total") >= longest, "\(values)")
        #expect(value("memory_bytes") > 4_000_000 && value("open_descriptors") > 5, "\(values)")
        #expect(try await serving.stop().ending == .exited(0))
    }
    @Test("The metrics of a daemon with users need a password") func users() async throws {
        let serving = try Serving("")
        let made = try await ChildProcess(
            "/bin/sh", ["-c", "echo secret | \"$0\" password me", try aircheckBinary()]
        ).outcome(within: .seconds(30))
        try serving.folder.write("users", made.text)
        try serving.configure("", server: "users = \"users\"")
        try await serving.start()
        let url = "http://127.0.0.1:\(serving.port)/metrics"
        for (options, status) in [([], "401"), (["-u", "me:wrong"], "401"), (["-u", "me:secret"], "200")] {
            let answer = try await ChildProcess(
                .curl, options + ["-s", "-o", "/dev/null", "-w", "%{http_code}", url]
            ).outcome(within: .seconds(20))
            #expect(answer.text == status, "\(options): \(answer)")
        }
    }
}
