// SPDX-License-Identifier: MIT

package import Instants

/// How fast to play so that the cushion stays as it is: a station's clock and a sound card's differ by tens of parts per
/// million, and without this a cushion of seconds is used up within hours. A value.
///
/// Audio comes in lumps, so the cushion is taken as the least of each ten seconds. What it was in the first minute is
/// the target, and the rate follows the distance to it: 2,000 ppm for each second, so that clocks 300 ppm apart come to
/// rest 0.15 s from the target. That is a first-order loop with a time constant of 500 s; it cannot swing.
package struct DriftControl: Hashable, Sendable {
    /// How much faster than its own rate the audio is played, in parts per million.
    package private(set) var correction = 0.0
    /// The cushion to be held; nil until it is known.
    package private(set) var target: Duration?
    private var windowBegan: MonotonicInstant?
    private var least: Duration?
    private var windows = 0
    private var settling: Duration?

    private static let window = Duration.seconds(10)
    /// The first windows count nothing: a burst is still coming in.
    private static let ignoredWindows = 1
    /// The target is the least of the windows up to this one.
    private static let settlingWindows = 6
    private static let gain = 2_000.0
    /// Nobody hears 3.5 cents, and 0.2 cents at once not even a piano tuner.
    private static let most = 2_000.0
    private static let step = 100.0

    package init() {}

    /// The cushion as it is now; returns a correction where that changes.
    package mutating func observe(_ cushion: Duration, at now: MonotonicInstant) -> Double? {
        least = min(least ?? cushion, cushion)
        guard let began = windowBegan else {
            windowBegan = now
            return nil
        }
        guard now - began >= Self.window, let least else { return nil }
        (windowBegan, self.least) = (now, nil)
        windows += 1
        guard let target else {
            if windows > Self.ignoredWindows { settling = min(settling ?? least, least) }
            if windows >= Self.settlingWindows { target = settling }
            return nil
        }
        let wanted = ((least - target).inSeconds * Self.gain).rounded()
        let bounded = max(-Self.most, min(Self.most, wanted))
        let next = max(correction - Self.step, min(correction + Self.step, bounded))
        guard next != correction else { return nil }
        correction = next
        return next
    }

    /// The cushion is another one from now on (after a pause, a jump or a wait): it is measured anew. The correction
    /// stays: the clocks are the same.
    package mutating func resettle() {
        (windowBegan, least, settling, target, windows) = (nil, nil, nil, nil, 0)
    }
}
