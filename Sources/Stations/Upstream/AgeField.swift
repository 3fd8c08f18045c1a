// SPDX-License-Identifier: MIT

import Instants

/// The response field by which a relay tells a recorder how old its first audio is: how long ago the first frame was at
/// the station's edge, in seconds; see `docs/relaying.md`.
///
/// A relay holds the first audio after a gap for two seconds, until it knows that there is a gap. When the station
/// falls silent again meanwhile, the time of arrival does not tell how old that audio is.
package enum AgeField {
    package static let name = "Aircheck-Age"

    /// No relay begins with older audio.
    private static let longest = Duration.seconds(120)

    /// The field's value, to the millisecond. Nil for an age that nobody would believe.
    package static func value(_ age: Duration) -> String? {
        guard age >= .zero, age <= longest else { return nil }
        let milliseconds = age.wholeNanoseconds / 1_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }

    /// The age that a value states; nil where it is malformed or impossible.
    static func age(_ text: String) -> Duration? {
        guard let seconds = Double(text), seconds >= 0, seconds <= longest.inSeconds else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
