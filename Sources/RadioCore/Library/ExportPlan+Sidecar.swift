// SPDX-License-Identifier: MIT

import Instants
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

    /// The gaps after the first frame. Gaps before the first frame do not affect air times, because the air time of the
    /// first frame itself is known.
    var gapsInside: [Gap] { gaps.filter { $0.position > 0 } }

    /// The average length of a frame; nil if it is unknown.
    package var frameLength: Duration? {
        guard frames > 0, samples > 0, format.sampleRate > 0 else { return nil }
        let length = Duration.samples(samples, at: format.sampleRate) / Int(clamping: frames)
        return length > .zero ? length : nil
    }

    /// The time at which a frame of the file was live; nil if the air time is unknown.
    func airTime(ofFrame frame: Int64) -> WallInstant? {
        guard let at, let length = frameLength else { return nil }
        let missing = gapsInside.filter { $0.position <= frame }.reduce(Int64(0)) {
            $0.addingSaturated(max(0, $1.milliseconds ?? 0))
        }
        return at.instant + length * Int(clamping: frame) + .milliseconds(missing)
    }
}
