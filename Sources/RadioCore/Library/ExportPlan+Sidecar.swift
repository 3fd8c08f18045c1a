// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

extension ExportPlan {
    /// A sidecar that describes the planned frames as one file, without a size in bytes; nil if the air time of the
    /// first frame is unknown.
    package var sidecar: Sidecar? {
        guard let first = parts.first, let source = first.segment.sidecar, let at = source.at,
            let instant = source.airTime(ofFrame: first.frames.lowerBound)
        else { return nil }
        var sidecar = Sidecar(
            format: source.format, at: CivilTime(instant, utcOffset: at.utcOffset), frames: 0, bytes: 0, samples: 0,
            state: .complete)
        (sidecar.station, sidecar.stationID) = (source.station, source.stationID)
        for part in parts { sidecar.append(part) }
        return sidecar
    }
}

extension Sidecar {
    fileprivate mutating func append(_ part: ExportPlan.Part) {
        guard let source = part.segment.sidecar, source.frames > 0 else { return }
        let moved = frames - part.frames.lowerBound
        // A gap before the very first frame does not count.
        gaps += source.gaps.filter { gap in
            part.frames.contains(gap.position) && gap.position + moved > 0 || gap.position == part.frames.upperBound
        }.map { gap in
            var gap = gap
            gap.position += moved
            return gap
        }
        if let step = source.clockStep, part.frames.contains(step.position), step.position + moved > 0 {
            clockStep = ClockStep(
                position: clockStep?.position ?? step.position + moved,
                milliseconds: step.milliseconds.addingSaturated(clockStep?.milliseconds ?? 0))
        }
        let before = source.titles.last { $0.position < part.frames.lowerBound }
        if let before, titles.last?.text != before.text {
            titles.append(Title(at: before.at, position: frames, text: before.text))
        }
        titles += source.titles.filter { part.frames.contains($0.position) }.map { title in
            Title(at: title.at, position: title.position + moved, text: title.text)
        }
        let count = max(0, min(part.frames.upperBound, source.frames) - part.frames.lowerBound)
        frames += count
        samples += Int64((Double(source.samples) / Double(source.frames) * Double(count)).rounded())
    }

    /// The frames after the first one that were on air later than the frame before them ended, and how much later:
    /// after gaps and a step of the clock, also one back, which is negative. What is before the first frame does not
    /// affect air times, because the air time of the first frame itself is known.
    var jumps: [(position: Int64, length: Int64)] {
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
    func airTime(ofFrame frame: Int64) -> WallInstant? {
        let whole = frame == frames ? Duration.samples(samples, at: format.sampleRate) : nil
        guard let at, let audio = whole ?? frameLength.map({ $0 * Int(clamping: frame) }) else { return nil }
        let jumps = jumps.filter { $0.position <= frame }.reduce(Int64(0)) { $0.addingSaturated($1.length) }
        return at.instant + audio + .milliseconds(jumps)
    }
}
