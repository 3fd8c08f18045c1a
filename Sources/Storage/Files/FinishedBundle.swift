// SPDX-License-Identifier: MIT

package import RadioCore

/// A segment that is finished: its audio is complete and has its final name.
///
/// Everything that makes one tells of it in this form: a recording, the recovery of what an earlier run left, and a
/// copy into the library.
package struct FinishedBundle: Hashable, Sendable {
    /// The path of the audio.
    package var path: String
    /// What is known of the segment, whether or not its sidecar is kept.
    package var sidecar: Sidecar
    /// Whether an earlier run had left the segment unfinished.
    package var isRecovered: Bool
    /// Whether the segment was finished before, and has changed since.
    package var isRevised: Bool

    package init(path: String, sidecar: Sidecar, isRecovered: Bool = false, isRevised: Bool = false) {
        (self.path, self.sidecar) = (path, sidecar)
        (self.isRecovered, self.isRevised) = (isRecovered, isRevised)
    }
}
