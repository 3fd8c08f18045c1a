// SPDX-License-Identifier: MIT

/// What to play from disk or standard input, and how.
package struct MediaPlan: Hashable, Sendable {
    package enum Input: Hashable, Sendable {
        /// Files, folders and playlists of files, in this order; at least one.
        case paths([String])
        /// Standard input: played once, as its bytes arrive.
        case standardInput
    }

    package var input: Input
    /// Shuffles each round anew with this seed; nil keeps the order.
    package var shuffleSeed: UInt64?
    /// Whether to play one round after the other, for ever.
    package var repeats: Bool

    package init(_ input: Input, shuffleSeed: UInt64? = nil, repeats: Bool = true) {
        self.input = input
        self.shuffleSeed = shuffleSeed
        self.repeats = repeats
    }

    /// The name of a station that plays this: the name of its first file or folder.
    package var name: String {
        switch input {
        case .standardInput: return "Aircheck"
        case .paths(let paths):
            let title = FileTitle.title(ofFile: paths.first ?? "")
            // `.` and `/` have no name.
            return title.contains { $0 != "." } ? title : "Aircheck"
        }
    }
}
