// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// Adjusts the playback rate to keep the cushion's size: the clocks of a station and a sound card differ by tens of
/// parts per million, which would use up a cushion of seconds within hours.
///
/// Audio arrives in bursts, so the cushion is measured as its minimum in each ten seconds. Its size in the first minute
/// is the target, and the correction is proportional to the distance from the target: 2,000 ppm per second, so that
/// with clocks 300 ppm apart the cushion settles 0.15 s from the target. This is a first-order loop with a time
/// constant of 500 s; it cannot oscillate.
///
/// If audio comes in lumps, the cushion at their arrival varies by a lump, although the clocks agree: what comes of a
/// list of segments, for example, depends on when the list is asked for. So it is measured over ten minutes, and let
/// alone until it gets small, or is larger than at first by more than a lump.
package struct DriftControl: Hashable, Sendable {
    /// How much faster than its own rate the audio is played, in parts per million.
    package private(set) var correction = 0.0
    /// The cushion size to keep; nil until measured.
    package private(set) var target: Duration?
    private var windowBegan: MonotonicInstant?
    private var least: Duration?
    private var windows = 0
    private var settling: Duration?

    private static let window = Duration.seconds(10)
    /// How many of the first windows do not count, because the initial burst is still arriving.
    private static let ignoredWindows = 1
    /// The number of windows after which the target is set: to the minimum of these windows, without the ignored ones.
    private static let settlingWindows = 6
    private static let gain = 2_000.0
    /// The largest correction in parts per million: 3.5 cents of pitch, which is inaudible.
    private static let most = 2_000.0
    /// The largest change of the correction at once: 0.2 cents of pitch, which is inaudible, too.
    private static let step = 100.0

    /// For a station that sends in lumps, a window lasts for many lumps, so that it has the smallest cushion between two
    /// of them; and so few windows are enough.
    private static let (longWindow, fewWindows) = (Duration.seconds(600), 2)
    /// The cushion that is enough for a station that sends in lumps.
    private static let enough = Duration.seconds(2)

    /// Observes the cushion as it is now, of a station that sends in `lumps`, if it does. Returns the correction if it
    /// changes.
    package mutating func observe(
        _ cushion: Duration, _ lumps: AudioLumps? = nil, at now: MonotonicInstant
    ) -> Double? {
        least = min(least ?? cushion, cushion)
        guard let began = windowBegan else {
            windowBegan = now
            return nil
        }
        guard now - began >= (lumps == nil ? Self.window : Self.longWindow), let least else { return nil }
        (windowBegan, self.least) = (now, nil)
        windows += 1
        guard let target else {
            if windows > Self.ignoredWindows { settling = min(settling ?? least, least) }
            if windows >= (lumps == nil ? Self.settlingWindows : Self.fewWindows) { target = settling }
            return nil
        }
        let distance = lumps.map { Self.distance(of: least, from: target, $0) } ?? least - target
        let wanted = (distance.inSeconds * Self.gain).rounded()
        let bounded = max(-Self.most, min(Self.most, wanted))
        let next = max(correction - Self.step, min(correction + Self.step, bounded))
        guard next != correction else { return nil }
        correction = next
        return next
    }

    private static func distance(of least: Duration, from target: Duration, _ lumps: AudioLumps) -> Duration {
        let range = min(target, enough)...target + lumps.length
        return least - min(max(least, range.lowerBound), range.upperBound)
    }

    /// Measures the cushion anew, because a pause, a jump or a wait has changed it. The correction stays, because the
    /// clocks are the same.
    package mutating func resettle() {
        (windowBegan, least, settling, target, windows) = (nil, nil, nil, nil, 0)
    }
}
