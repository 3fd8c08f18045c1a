// SPDX-License-Identifier: MIT

/// The request field by which one Aircheck asks another Aircheck for the station's own audio only, without filler while
/// the station is down; see `docs/relaying.md`.
package struct FillerField: Hashable, Sendable {
    package static let name = "Aircheck-Filler"
    /// No filler, and the connection ends wherever audio is missing.
    private static let none = "none"
    /// The client has no audio of the station yet.
    private static let new = "new"

    /// Whether the client has no audio of the station yet. If so, the client misses no audio before the new audio.
    package var isNew: Bool

    package init(isNew: Bool) { self.isNew = isNew }

    /// Parses the value of the field; nil if it requests nothing.
    package init?(_ value: String?) {
        let parts = value?.lowercased().split(separator: ";").map { $0.filter { $0 != " " } } ?? []
        guard parts.first == Self.none else { return nil }
        isNew = parts.dropFirst().contains(Self.new)
    }

    package var value: String { isNew ? "\(Self.none); \(Self.new)" : Self.none }
}
