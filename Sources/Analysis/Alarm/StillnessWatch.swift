// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// Notices that a programme has been silent, or has stood still in one tone, for too long. A pure value.
///
/// Silence that follows a tone at once, a tone that follows silence, and another tone are parts of one stillness.
package struct StillnessWatch: Sendable {
    /// Successive windows of silence, or of one tone.
    package struct Stillness: Sendable, Hashable {
        /// Silence or tone.
        package var kind: Stretch.Kind
        /// The first window, with which a tone's other windows are compared.
        package var first: SoundWindow
    }

    package enum Change: Sendable, Hashable {
        /// The programme has been still for the threshold, since the beginning of the first stillness; its newest part
        /// is `part`.
        case began(Stillness, part: Stillness)
        /// The programme is as still as before, but its newest part is this one. The part before lasted until `end`.
        case turned(Stillness, end: SoundWindow)
        /// There is sound again, from the window `sound` on. The first part of what has ended was this one.
        case ended(Stillness, sound: SoundWindow)
    }

    /// A stillness of one or more parts.
    private struct Whole {
        let first: Stillness
        /// The newest part.
        var part: Stillness
        /// The first window after that part; nil if the newest window belongs to it.
        var sound: SoundWindow?
        var isReported = false

        init(_ part: Stillness) { (first, self.part) = (part, part) }
    }

    private let threshold: Duration
    /// The frames since the last window that was judged.
    private var gathered: SoundWindow?
    /// The stillness to which the newest window belongs; nil if that window is neither silent nor a tone.
    private var newest: Stillness?
    private var whole: Whole?

    /// How long sound must last to end a reported stillness, so that a click does not.
    private static let leastSound = Duration.seconds(1)
    /// How long it must last otherwise: two windows may have something of both parts.
    private static let leastBreak = Duration.milliseconds(250)
    /// The shortest part, so that a melody of pure tones is none.
    private static let leastPart = Duration.seconds(1)
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
        let isAsBefore = continues(newest, window)
        if !isAsBefore { newest = begin(window) }
        guard var whole else {
            whole = newest.map(Whole.init)
            return nil
        }
        var end: SoundWindow?
        if isAsBefore && whole.sound == nil || whole.isReported && continues(whole.part, window) {
            whole.sound = nil
        } else {
            let sound = whole.sound ?? window
            whole.sound = sound
            // What stands still again may be the next part.
            let length = (newest?.first.start ?? window.end) - sound.start
            guard sound.start - whole.part.first.start >= Self.leastPart,
                length < (whole.isReported ? Self.leastSound : Self.leastBreak)
            else {
                self.whole = newest.map(Whole.init)
                return whole.isReported ? .ended(whole.first, sound: sound) : nil
            }
            if let newest, window.end - newest.first.start >= Self.leastPart {
                (whole.part, whole.sound, end) = (newest, nil, sound)
            }
        }
        defer { self.whole = whole }
        guard !whole.isReported else { return end.map { .turned(whole.part, end: $0) } }
        guard whole.sound == nil, window.end - whole.first.first.start >= threshold else { return nil }
        whole.isReported = true
        return .began(whole.first, part: whole.part)
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
