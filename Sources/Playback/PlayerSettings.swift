// SPDX-License-Identifier: MIT

package import Instants

/// How a player plays. A value.
package struct PlayerSettings: Hashable, Sendable {
    /// The name of the sound server's device; nil for the server's own choice.
    package var device: String?
    /// The volume as mixers show it, 1 for full or more; nil for the volume that the server remembers.
    package var volume: Double?
    package var isMuted = false
    /// The time at which the first sound is to leave the loudspeaker; nil for at once.
    package var start: WallInstant?
    /// How long to wait for a sound server; nil for ever.
    package var giveUp: Duration?
    /// How late audio may arrive. The usual cushion is at least 600 ms, but the station itself needs a part of that.
    package var tolerance = Duration.milliseconds(250)
    /// Whether to measure loudness.
    package var measuresLoudness = false

    package init(measuresLoudness: Bool = false) { self.measuresLoudness = measuresLoudness }
}
