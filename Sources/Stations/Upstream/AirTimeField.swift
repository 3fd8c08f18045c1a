// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// The response field by which a relay says when the frame with which its answer begins was on air; see
/// `docs/relaying.md`.
package enum AirTimeField {
    package static let name = "Aircheck-Air-Time"

    /// The field's value: RFC 3339 in UTC, with milliseconds. They are rounded up, so that the instant lies within the
    /// frame.
    package static func value(_ instant: WallInstant) -> String {
        CivilTime(instant + .nanoseconds(999_999), utcOffset: 0).rfc3339
    }

    /// The instant that a value states; nil if it is malformed.
    static func instant(_ text: String) -> WallInstant? { CivilTime(rfc3339: text)?.instant }
}
