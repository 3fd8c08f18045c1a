// SPDX-License-Identifier: MIT

package import Instants

/// How a programme is to be heard. A value.
package struct PlayerSettings: Hashable, Sendable {
    /// The name of the sound server's device; nil for the server's own choice.
    package var device: String?
    /// From 0 to 1 and beyond, as mixers show it; nil leaves it as the server remembers it.
    package var volume: Double?
    package var isMuted = false
    /// When the first sound is to leave the loudspeaker; nil at once.
    package var start: WallInstant?
    /// How long a sound server is waited for; nil for ever.
    package var giveUp: Duration?
    /// Whether it is measured how loud it is.
    package var measuresLoudness = false

    package init(measuresLoudness: Bool = false) { self.measuresLoudness = measuresLoudness }
}
