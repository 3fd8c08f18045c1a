// SPDX-License-Identifier: MIT

import RadioCore

/// How loud it is, as a bar a channel: filled up to the mean, with a mark at the peak; -48 dB to full scale.
enum LevelBar {
    private static let cells = 8
    private static let floor = -48.0

    static func render(_ loudness: Loudness) -> String {
        loudness.channels.prefix(2).map(bar).joined(separator: " ")
    }

    private static func bar(_ channel: Loudness.Channel) -> String {
        let (mean, peak) = (cell(channel.rms), cell(channel.peak))
        return String((1...cells).map { $0 <= mean ? "▮" : $0 == peak ? "|" : "·" })
    }

    /// The last cell that a value fills; 0 where it fills none.
    private static func cell(_ value: Float) -> Int {
        let part = (Loudness.Channel.decibels(value) - floor) / -floor
        return max(0, min(cells, Int((part * Double(cells)).rounded(.up))))
    }
}
