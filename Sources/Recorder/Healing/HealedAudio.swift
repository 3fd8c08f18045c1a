// SPDX-License-Identifier: MIT

package import RadioCore

/// Found audio that was put into a file of a recording.
package struct HealedAudio: Sendable {
    /// The path of the file.
    package var path: String
    /// What was put in. Its position counts from the beginning of the file.
    package var audio: Sidecar.Healed
    /// What of the gap is still missing, in milliseconds; nil if unknown.
    package var rest: Int64?

    package init(path: String, audio: Sidecar.Healed, rest: Int64?) {
        (self.path, self.audio, self.rest) = (path, audio, rest)
    }
}
