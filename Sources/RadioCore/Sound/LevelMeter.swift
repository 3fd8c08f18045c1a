// SPDX-License-Identifier: MIT

import Instants

/// Gathers the windows of one file's audio into the bytes of its ``Levels``, second by second. A pure value.
package struct LevelMeter: Sendable {
    /// The second that is being gathered, and its sums, one for each pair of channels. Those before it have bytes.
    private var second = 0
    private var sums: [Sum]

    private struct Sum {
        var squares = 0.0
        var seconds = 0.0
        var peak: Float = 0
    }

    package init(channels: Int) {
        sums = Array(repeating: Sum(), count: Levels.pairs(ofChannels: channels))
    }

    /// The bytes before those of the first second.
    package func head(areFinal: Bool = false) -> [UInt8] { Levels.head(pairs: sums.count, areFinal: areFinal) }

    /// The number of bytes for each second.
    package var bytesPerSecond: Int { sums.count * Levels.Entry.unknown.bytes.count }

    /// Adds a window that begins at `start` of the file, and returns the bytes of the seconds that are over. A window
    /// belongs to the second in which its middle lies.
    package mutating func take(_ window: SoundWindow, at start: Duration) -> [UInt8] {
        let middle = Int(max(.zero, start + window.length / 2).inSeconds)
        guard second...Levels.mostSeconds ~= middle else { return [] }
        var bytes: [UInt8] = []
        while second < middle {
            bytes += takeSecond()
            second += 1
        }
        let seconds = window.length.inSeconds
        for (channel, sound) in window.loudness.channels.enumerated() where channel / 2 < sums.count {
            sums[channel / 2].squares += Double(sound.rms) * Double(sound.rms) * seconds
            sums[channel / 2].seconds += seconds
            sums[channel / 2].peak = max(sums[channel / 2].peak, sound.peak)
        }
        return bytes
    }

    /// The bytes of the second that is being gathered, as far as it goes; none if it has no window.
    package mutating func end() -> [UInt8] { sums.contains { $0.seconds > 0 } ? takeSecond() : [] }

    private mutating func takeSecond() -> [UInt8] {
        defer { sums = Array(repeating: Sum(), count: sums.count) }
        return sums.flatMap { sum in
            sum.seconds == 0
                ? Levels.Entry.unknown.bytes
                : Levels.Entry(rms: Float((sum.squares / sum.seconds).squareRoot()), peak: sum.peak).bytes
        }
    }
}
