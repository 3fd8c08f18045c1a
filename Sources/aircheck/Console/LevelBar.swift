// SPDX-License-Identifier: MIT

import RadioCore

/// A level meter, one bar per channel from -48 dB to full scale: filled up to the mean, with a mark at the peak.
enum LevelBar {
    private static let cells = 8
    private static let floor = -48.0

    static func render(_ loudness: Loudness) -> String {
        loudness.channels.prefix(2).map(bar).joined(separator: " ")
    }

    private static func bar(_ channel: Loudness.Channel) -> String {
        let (mean, peak) = (cell(channel.rms), cell(channel.peak))
        let filled = String(repeating: "▮", count: mean)
        guard peak > mean else { return filled + empty(cells - mean) }
        return filled + empty(peak - mean - 1) + "|" + empty(cells - peak)
    }

    private static func empty(_ count: Int) -> String { String(repeating: "·", count: count) }

    /// The last cell that the value reaches; 0 if it is below the first.
    private static func cell(_ value: Float) -> Int {
        let part = (Loudness.Channel.decibels(value) - floor) / -floor
        return max(0, min(cells, Int((part * Double(cells)).rounded(.up))))
    }
}
