// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

/// A programme that many suites record, and functions that find the recorded audio in it.
extension DaemonRig {
    static let programme = Broadcast([.music(.seconds(400))], MPEGShape(48))

    /// The programme's time at the beginning of a test, in seconds.
    static let onAir = 40.0

    /// A station that sends the programme, with a burst of four seconds.
    static func script(_ absences: [LiveScript.Absence] = []) -> LiveScript {
        return LiveScript(.stream(LiveStream(programme, burst: 24_000)), absences: absences)
    }

    /// The times at which the audio of these files begins and ends, in seconds since the beginning of the test.
    /// Together, the files must have every frame in between exactly once.
    func span(_ names: [String]) throws -> (from: Double, to: Double) {
        let bytes = try names.flatMap { try audio($0) }
        let places = try #require(Self.programme.stretch(of: bytes, startingAt: Self.programme.starts), "\(names)")
        func seconds(_ place: Int) -> Double { Double(place) * 1152 / 44_100 - Self.onAir }
        return (seconds(places.lowerBound), seconds(places.upperBound))
    }

    func span(_ name: String) throws -> (from: Double, to: Double) { try span([name]) }
}
