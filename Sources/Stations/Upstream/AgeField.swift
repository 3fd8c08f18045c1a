// SPDX-License-Identifier: MIT

import Instants

/// The response field by which a relay tells a recorder the age of its first audio: how many seconds ago the first
/// frame was at the station's edge; see `docs/relaying.md`.
///
/// A relay holds the first audio after a gap for two seconds, to be sure of the gap. If the station falls silent again
/// meanwhile, the arrival time does not reveal that audio's age.
package enum AgeField {
    package static let name = "Aircheck-Age"

    /// No relay begins with older audio.
    private static let longest = Duration.seconds(120)

    /// The field's value, with millisecond precision. Nil for an implausible age.
    package static func value(_ age: Duration) -> String? {
        guard age >= .zero, age <= longest else { return nil }
        let milliseconds = age.wholeNanoseconds / 1_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }

    /// The age that a value states; nil if it is malformed or implausible.
    static func age(_ text: String) -> Duration? {
        guard let seconds = Double(text), seconds >= 0, seconds <= longest.inSeconds else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
