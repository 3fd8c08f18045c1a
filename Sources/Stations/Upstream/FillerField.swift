// SPDX-License-Identifier: MIT

/// The request field by which one Aircheck tells another that it wants the station's own audio and nothing that is made
/// up while the station is away; see `docs/relaying.md`.
package enum FillerField {
    package static let name = "Aircheck-Filler"
    /// Nothing made up, and an end of the connection wherever audio is missing.
    package static let none = "none"
}
