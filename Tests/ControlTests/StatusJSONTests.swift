// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

@testable import Control
@testable import Daemon
@testable import Engine

/// What the control socket says of a station.
struct StatusJSONTests {
    private static func station(_ failure: DaemonStatus.LastFailure?) -> JSONValue? {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .zero)
        var station = DaemonStatus.Station(id: "fip", programme: ProgrammeSnapshot())
        station.failure = failure
        status.stations = [station]
        return DaemonJSON(zone: FixedZone.utc).status(status)["stations"]?.arrayValue?.first
    }

    @Test func `the last error says how long ago it was`() {
        let failure = Failure(.refused, "the station refused the connection", remedy: "wait")
        #expect(
            Self.station(.init(failure: failure, ago: .milliseconds(90_500)))?["last_error"] == [
                "class": "refused", "message": "the station refused the connection", "remedy": "wait", "ago": 90.5,
            ])
        #expect(Self.station(nil)?["last_error"] == .null)
    }

    @Test func `a configuration that cannot be used has each problem for itself`() {
        let answer = DaemonJSON(zone: FixedZone.utc).unusable(
            UnusableConfiguration(.configuration, ["a:1: x", "a:2: y"], remedy: "correct the file"))
        #expect(answer["problems"] == ["a:1: x", "a:2: y"] && answer["remedy"] == "correct the file")
        #expect(answer["class"] == "configuration")
    }
}
