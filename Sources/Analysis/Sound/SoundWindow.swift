// SPDX-License-Identifier: MIT

package import RadioCore

/// What a tenth of a second of a programme sounds like.
package struct SoundWindow: Sendable, Hashable {
    /// The number of the frame in which the window begins.
    package var frame: Int64
    /// Where the window begins: the playing time since the tap was attached.
    package var start: Duration
    package var length: Duration
    package var loudness: Loudness
    /// How often the loudest channel changes its sign in a second.
    package var crossings: Double

    package init(frame: Int64, start: Duration, length: Duration, loudness: Loudness, crossings: Double) {
        self.frame = frame
        self.start = start
        self.length = length
        self.loudness = loudness
        self.crossings = crossings
    }

    /// The least playing time of a window; the last frame of a window makes it longer.
    static let least = Duration.milliseconds(100)
}
