// SPDX-License-Identifier: MIT

/// The request field by which one Aircheck asks another for the station's own audio only, without filler while the
/// station is away; see `docs/relaying.md`.
package enum FillerField {
    package static let name = "Aircheck-Filler"
    /// No filler, and the connection ends wherever audio is missing.
    package static let none = "none"
}
