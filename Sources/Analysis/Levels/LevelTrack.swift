// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Gathers the windows of a programme into the seconds of one recorded file. A pure value.
package struct LevelTrack: Sendable {
    /// The file's first frame, and the frame after its last; nil while the file grows.
    private let first: Int64
    private var last: Int64?
    /// Where the file begins; nil until its first window.
    private var origin: Duration?
    private var second = 0
    private var sums: [Sum]
    private var levels: Levels
    /// Whether all windows of the file have come.
    package private(set) var isComplete = false

    /// The sound of a pair of channels in the current second.
    private struct Sum {
        var squares = 0.0
        var count = 0.0
        var peak: Float = 0

        var entry: Levels.Entry {
            guard count > 0 else { return .unknown }
            return Levels.Entry(
                rms: Levels.Entry.halfDecibels(Float((squares / count).squareRoot())),
                peak: Levels.Entry.halfDecibels(peak))
        }
    }

    package init(from first: Int64, channels: Int) {
        self.first = first
        levels = Levels(channels: channels)
        sums = Array(repeating: Sum(), count: levels.pairs)
    }

    package var head: [UInt8] { levels.head }

    /// Ends the file before this frame.
    package mutating func end(before frame: Int64) { last = frame }

    /// Adds a window, and returns the bytes of the seconds that are over. Windows of other frames are ignored.
    package mutating func take(_ window: SoundWindow) -> [UInt8] {
        guard window.frame >= first, !isComplete else { return [] }
        if let last, window.frame >= last { return finish() }
        let origin = origin ?? window.start
        self.origin = origin
        let middle = window.start + window.length / 2 - origin
        let bytes = close(upTo: Int(middle.inSeconds))
        for (channel, sound) in window.loudness.channels.enumerated() where channel / 2 < sums.count {
            sums[channel / 2].squares += Double(sound.rms) * Double(sound.rms)
            sums[channel / 2].count += 1
            sums[channel / 2].peak = max(sums[channel / 2].peak, sound.peak)
        }
        return bytes
    }

    /// Returns the bytes of the last second.
    package mutating func finish() -> [UInt8] {
        guard !isComplete else { return [] }
        isComplete = true
        return sums.contains { $0.count > 0 } ? close(upTo: second + 1) : []
    }

    /// Ends all seconds before this one.
    private mutating func close(upTo next: Int) -> [UInt8] {
        guard next > second else { return [] }
        let entries = sums.map(\.entry)
        // Seconds without a window could not be decoded.
        let unknown = Array(repeating: Levels.Entry.unknown, count: (next - second - 1) * sums.count)
        sums = Array(repeating: Sum(), count: sums.count)
        second = next
        return Levels.bytes(of: entries + unknown)
    }
}
