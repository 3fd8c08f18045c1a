// SPDX-License-Identifier: MIT

import Catalog
import Instants
import Testing

@testable import Daemon

struct ManualResultTests {
    @Test(arguments: [20.0, 60])
    func `a hole in a day is told from a clock that drifts`(short: Double) {
        let start = MonotonicInstant(nanoseconds: 5_000_000_000)
        let span = start..<start + .seconds(86_400)
        let recording = ManualRecording(number: 1, station: "fip", span: span, earlier: ["a"])
        var coverage = CatalogCoverage()
        let file = CatalogFile(recording: "a", path: ["a.mp3"])
        coverage.files = [.init(file, at: 0, audio: Int64((86_400 - short) * 1_000))]
        let result = ManualResult(recording, coverage, in: "/recordings")
        #expect(result.verdict == (short < 26 ? .complete : .incomplete))
        #expect(result.lost == .seconds(short < 26 ? 0 : 60) && result.files == ["/recordings/a.mp3"])
    }
}
