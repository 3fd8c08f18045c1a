// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// Notices that a programme has been silent, or has stood still in one tone, for too long. A pure value.
package struct StillnessWatch: Sendable {
    /// The kinds are silence and tone.
    package enum Change: Sendable, Hashable {
        /// The programme has been still for the threshold, from the window `first` on.
        case began(Stretch.Kind, first: SoundWindow)
        /// There is sound again, from the window `sound` on.
        case ended(Stretch.Kind, first: SoundWindow, sound: SoundWindow)
    }

    /// Windows that sound alike, without a programme.
    private struct Stillness {
        var kind: Stretch.Kind
        /// The first window, with which a tone's other windows are compared.
        var first: SoundWindow
    }

    private let threshold: Duration
    /// The frames since the last window that was judged.
    private var gathered: SoundWindow?
    /// The stillness to which the newest window belongs; nil if that window is neither silent nor a tone.
    private var newest: Stillness?
    /// The stillness that has been reported and has not ended.
    private var reported: Stillness?
    /// The first window of the sound that interrupts the reported stillness.
    private var sound: SoundWindow?

    /// How long sound must last to end a reported stillness, so that a click does not.
    private static let leastSound = Duration.seconds(1)
    /// The least playing time that is judged: a tone of 20 Hz has two periods in it.
    private static let leastWindow = Duration.milliseconds(100)

    package init(threshold: Duration) {
        self.threshold = threshold
    }

    package mutating func take(_ part: SoundWindow) -> Change? {
        var window = gathered ?? part
        if gathered != nil { window.append(part) }
        gathered = window.length < Self.leastWindow ? window : nil
        return gathered == nil ? judge(window) : nil
    }

    private mutating func judge(_ window: SoundWindow) -> Change? {
        if !continues(newest, window) { newest = begin(window) }
        let end = window.end
        guard let old = reported else {
            guard let newest, end - newest.first.start >= threshold else { return nil }
            reported = newest
            return .began(newest.kind, first: newest.first)
        }
        guard !continues(old, window) else {
            sound = nil
            return nil
        }
        let sound = sound ?? window
        self.sound = sound
        guard end - sound.start >= Self.leastSound else { return nil }
        (reported, self.sound) = (nil, nil)
        return .ended(old.kind, first: old.first, sound: sound)
    }

    private func begin(_ window: SoundWindow) -> Stillness? {
        let kind: Stretch.Kind? = window.isSilent ? .silence : window.isTone ? .tone : nil
        return kind.map { Stillness(kind: $0, first: window) }
    }

    private func continues(_ stillness: Stillness?, _ window: SoundWindow) -> Bool {
        guard let stillness else { return false }
        guard stillness.kind == .tone else { return window.isSilent }
        return window.isTone && window.isSameTone(as: stillness.first)
    }
}

extension SoundWindow {
    /// A window of less power is silent. It is that of an RMS of 60 dB below full scale.
    private static let quietest = 1e-6

    /// The mean of the squares of all channels.
    fileprivate var power: Double {
        let channels = loudness.channels
        return channels.reduce(0) { $0 + Double($1.rms) * Double($1.rms) } / Double(max(1, channels.count))
    }

    fileprivate var isSilent: Bool { power < SoundWindow.quietest }

    /// Whether the loudest channel may be one tone. The crest factor of a sine is √2, that of a square 1; music and
    /// speech reach 3 and more.
    fileprivate var isTone: Bool {
        guard let loudest = loudness.channels.max(by: { $0.rms < $1.rms }) else { return false }
        return !isSilent && loudest.peak <= loudest.rms * 1.55
    }

    /// Whether level and pitch are those of another tone: to within 0.5 dB, and within 2 % or a period in the window.
    fileprivate func isSameTone(as other: SoundWindow) -> Bool {
        let ratio = power / max(other.power, .leastNormalMagnitude)
        let tolerance = max(0.02 * other.crossings, 2 / length.inSeconds)
        return 0.89 < ratio && ratio < 1.12 && abs(crossings - other.crossings) <= tolerance
    }
}
