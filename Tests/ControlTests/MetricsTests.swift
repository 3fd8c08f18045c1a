// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Control
@testable import Daemon
@testable import Engine

struct MetricsTests {
    @Test("The text is valid for Prometheus, whatever the labels contain") func text() {
        var text = PrometheusText()
        text.add(
            "a_total", .counter, "Back\\slash and\nline.",
            [(3, ["station": "a\"b\\c\nd", "other": "é"]), (0.25, [:])])
        text.add("without_samples", .gauge, "Nothing.", [])
        text.add("b", .gauge, "B.", [(.infinity, [:]), (.nan, [:]), (1e15, [:])])
        #expect(
            text.text == """
                # HELP aircheck_a_total Back\\\\slash and\\nline.
                # TYPE aircheck_a_total counter
                aircheck_a_total{station="a\\"b\\\\c\\nd",other="é"} 3
                aircheck_a_total 0.25
                # HELP aircheck_b B.
                # TYPE aircheck_b gauge
                aircheck_b +Inf
                aircheck_b NaN
                aircheck_b 1000000000000000

                """)
    }

    @Test("A recording that replaces another one with the same key has one sample") func replacedRecording() {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
        var station = DaemonStatus.Station(id: "fip", programme: ProgrammeSnapshot())
        let keys = [UseKey("fip", .log), UseKey("fip", .log), UseKey("fip", .manual(1))]
        station.recordings = keys.enumerated().map { DaemonStatus.Recording(key: $1, id: "r\($0)") }
        status.stations = [station]
        let text = DaemonMetrics.text(status, nil, .init(loopLag: 0, version: "1"))
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ")[0] }
        #expect(samples.count == Set(samples).count && samples.count { $0.hasPrefix("aircheck_recording_bytes") } == 2)
    }

    @Test("A repeated fault is logged once, and then counted for an hour") func repeatedFault() {
        var faults = FaultCounter()
        let start = MonotonicInstant(nanoseconds: 0)
        #expect(faults.note("a", at: start) == 0)
        for second in 1...100 { #expect(faults.note("a", at: start + .seconds(second)) == nil) }
        #expect(faults.note("b", at: start + .seconds(5)) == 0)
        #expect(faults.note("a", at: start + .seconds(3_600)) == 100)
        for number in 0..<10_000 { _ = faults.note("\(number)", at: start) }
    }

    @Test("A fault that has ended is logged when it returns, but not within a minute") func endedFault() {
        var faults = FaultCounter()
        let start = MonotonicInstant(nanoseconds: 0)
        #expect(faults.note("writing a: full", at: start) == 0 && faults.note("writing b: full", at: start) == 0)
        faults.end("writing a: ")
        #expect(faults.note("writing a: full", at: start + .seconds(59)) == nil)
        #expect(faults.note("writing a: full", at: start + .seconds(60)) == 1)
        #expect(faults.note("writing b: full", at: start + .seconds(60)) == nil)
    }

    @Test("Control targets are encoded, and the control socket is found in its folder") func targetsAndSockets() {
        let target = ControlTarget("/v1/x").adding("a", "é &=/%").adding("b", nil).adding("c", "1")
        #expect(target.text == "/v1/x?a=%C3%A9%20%26%3D/%25&c=1")
        #expect(ControlSocket.ownPath(["RUNTIME_DIRECTORY": "/run/x:/run/y"]) == "/run/x/aircheck.sock")
        let session = ["XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(ControlSocket.ownPath(session) == "/run/user/7/aircheck/aircheck.sock")
        #expect(ControlSocket.candidates(session).last == "/run/aircheck/aircheck.sock")
        #expect(ControlSocket.ownPath(["XDG_RUNTIME_DIR": "relative"]) == "/run/aircheck/aircheck.sock")
    }
}
