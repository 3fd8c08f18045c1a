// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

extension Excerpt {
    /// A sidecar that describes the frames as one file, without a size in bytes; nil if the air time of the first frame
    /// is unknown.
    package var sidecar: Sidecar? {
        guard let first = parts.first, let source = first.segment.sidecar, let at = source.at,
            let instant = first.start
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
    fileprivate mutating func append(_ part: Excerpt.Part) {
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
}
