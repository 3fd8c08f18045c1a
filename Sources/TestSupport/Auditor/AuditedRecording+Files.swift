// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestTools

extension AuditedRecording {
    /// A recording of a station in files, which the program has completed. The time of a frame is when it was at the
    /// edge of a server without a lag.
    package init(_ files: [BookedRecording.File], of station: ChanceStation) throws {
        self.init(station.heard)
        let report = FrameChecker(station.broadcast).check(files.map(\.audio))
        guard report.junkBytes == 0, report.problems.isEmpty else {
            throw SetupError("seed \(station.seed): \(report)")
        }
        places = report.places
        var time = Duration.zero
        for (index, place) in places.enumerated() {
            if let place { time = station.broadcast.frames[place].start - station.onAir }
            chunks.append((index, max(time, chunks.last?.at ?? .zero)))
        }
        var first = 0
        for file in files {
            add(file.sidecar, from: first)
            first += Int(file.sidecar.frames)
        }
        guard first == places.count else {
            throw SetupError("seed \(station.seed): sidecars say \(first) frames, files have \(report)")
        }
    }

    private mutating func add(_ sidecar: Sidecar, from first: Int) {
        gaps += sidecar.gaps.map { gap in
            let position = first + Int(gap.position)
            return ToldGap(
                position: position, length: gap.milliseconds.map { .milliseconds($0) },
                tellsRepeat: (gap.overlap ?? 0) > 0 || gap.repeats != nil, cause: gap.cause, at: gap.at.instant,
                told: time(of: position))
        }
        for kind in [Stretch.Kind.foreign, .repeated] {
            stretches += sidecar.stretches[kind].map { stretch in
                let begin = Int64(first) + stretch.position
                return Stretch(
                    kind, frames: begin..<begin + stretch.frames, at: stretch.at.instant,
                    length: .milliseconds(stretch.milliseconds))
            }
        }
    }
}
