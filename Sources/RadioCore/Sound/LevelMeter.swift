// SPDX-License-Identifier: MIT

import Instants

/// Gathers the windows of one file's audio into its seconds. A pure value.
package struct LevelMeter: Sendable {
    /// A second, counted from the beginning of the file.
    package struct Second: Sendable, Hashable {
        package var number: Int
        package var entries: [Levels.Entry]
    }

    package let pairs: Int
    /// The second that is being gathered, and its sums.
    private var number = 0
    private var sums: [Sum]

    private struct Sum {
        var squares = 0.0
        var seconds = 0.0
        var peak: Float = 0
    }

    package init(channels: Int) {
        pairs = Levels.pairs(ofChannels: channels)
        sums = Array(repeating: Sum(), count: pairs)
    }

    /// Adds a window that begins at `start` of the file. Returns the second that is over, if one is. A window belongs to
    /// the second in which its middle lies.
    package mutating func take(_ window: SoundWindow, at start: Duration) -> Second? {
        let middle = Int(max(.zero, start + window.length / 2).inSeconds)
        let over = middle == number ? nil : takeSecond()
        number = middle
        let seconds = window.length.inSeconds
        for (channel, sound) in window.loudness.channels.enumerated() where channel / 2 < pairs {
            sums[channel / 2].squares += Double(sound.rms) * Double(sound.rms) * seconds
            sums[channel / 2].seconds += seconds
            sums[channel / 2].peak = max(sums[channel / 2].peak, sound.peak)
        }
        return over
    }

    /// The second that is being gathered, as far as it goes; nil if it has no window.
    package mutating func takeSecond() -> Second? {
        guard sums.contains(where: { $0.seconds > 0 }) else { return nil }
        let entries = sums.map { sum in
            sum.seconds == 0
                ? .unknown : Levels.Entry(rms: Float((sum.squares / sum.seconds).squareRoot()), peak: sum.peak)
        }
        sums = Array(repeating: Sum(), count: pairs)
        return Second(number: number, entries: entries)
    }
}
