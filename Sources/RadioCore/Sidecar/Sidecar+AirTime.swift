// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

extension Sidecar {
    /// The frames after the first one that were on air later than the frame before them ended, and how much later:
    /// after gaps and a step of the clock, also one back, which is negative. What is before the first frame does not
    /// affect air times, because the air time of the first frame itself is known.
    package var jumps: [(position: Int64, length: Int64)] {
        let gaps = gaps.map { ($0.position, max(0, $0.milliseconds ?? 0)) }
        return (gaps + (clockStep.map { [($0.position, $0.milliseconds)] } ?? [])).filter { $0.0 > 0 }
    }

    /// The times that a clock left out when it was set forward while the file was recorded; nil if it was not.
    package var leftOut: Range<WallInstant>? {
        guard let step = clockStep, step.milliseconds > 0, let end = airTime(ofFrame: step.position) else { return nil }
        return end - .milliseconds(step.milliseconds)..<end
    }

    /// The average length of a frame; nil if it is unknown.
    package var frameLength: Duration? {
        guard frames > 0, samples > 0, format.sampleRate > 0 else { return nil }
        let length = Duration.samples(samples, at: format.sampleRate) / Int(clamping: frames)
        return length > .zero ? length : nil
    }

    /// The time at which a frame of the file was live, or the last one ended; nil if the air time is unknown.
    package func airTime(ofFrame frame: Int64) -> WallInstant? {
        let whole = frame == frames ? Duration.samples(samples, at: format.sampleRate) : nil
        guard let at, let audio = whole ?? frameLength.map({ $0 * Int(clamping: frame) }) else { return nil }
        let jumps = jumps.filter { $0.position <= frame }.reduce(Int64(0)) { $0.addingSaturated($1.length) }
        return at.instant + audio + .milliseconds(jumps)
    }
}
