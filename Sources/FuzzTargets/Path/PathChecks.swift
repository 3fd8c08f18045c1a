// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import Storage

/// Checks the whole path, from the bytes of a station's connections to the files and the report. The first eight bytes
/// of an input are a ``PathPlan``, the rest is the body.
package enum PathChecks {
    package static func complaint(about bytes: [UInt8]) -> String? {
        guard let plan = PathPlan(bytes), bytes.count <= longest else { return nil }
        return PathOutcome(plan, Array(bytes.dropFirst(PathPlan.headerLength))).complaint
    }

    /// Longer inputs find nothing that shorter ones do not.
    private static let longest = 1 << 17
}

/// The outcome of an input.
package struct PathOutcome {
    /// What is wrong with the outcome; nil if nothing is.
    package let complaint: String?
    /// The number of frames that the sinks received.
    package let frames: Int
    /// The number of connections.
    package let connections: Int
    /// The numbers of gaps and splices in the recording.
    package let gaps: Int
    package let splices: Int
    /// The cost of the input, see ``PathCost``.
    package let cost: Double

    package init(_ plan: PathPlan, _ body: [UInt8]) {
        let run = PathRun(plan, body)
        run.play()
        frames = run.witness.frames.count
        connections = run.server.transfers.count
        gaps = run.report?.gaps.count ?? 0
        splices = run.report?.splices.count ?? 0
        cost = PathCost.of(run)
        complaint =
            run.witness.complaint ?? Self.complaint(aboutFramesOf: run) ?? Self.complaint(aboutFilesOf: run)
            ?? (cost > PathCost.most ? "\(cost) units of work for each byte" : nil)
    }

    /// Checks that the sinks received only frames that were sent, in their order.
    private static func complaint(aboutFramesOf run: PathRun) -> String? {
        run.witness.frames.isContained(in: run.sentFrames) ? nil : "frames that were never sent, or not in this order"
    }

    private static func complaint(aboutFilesOf run: PathRun) -> String? {
        guard let report = run.report else { return "the recording has no end" }
        if run.system.openDescriptors > 0 { return "\(run.system.openDescriptors) files are still open" }
        if (try? JSONValue(parsing: JSONValue.object(report.json).encoded(.compact), limit: 1 << 26)) == nil {
            return "a report that cannot be read"
        }
        if let complaint = complaint(about: report) { return complaint }
        let recorded = run.recordedFrames
        if let complaint = recorded.complaint { return complaint }
        let heard = run.witness.frames
        guard recorded.frames.isContained(in: run.witness.recordable) else {
            return "other frames in the files than were heard"
        }
        let areMissing = recorded.frames.count < heard.count && !run.plan.fillsDisk
        return areMissing ? "\(recorded.frames.count) of \(heard.count) frames are in the files" : nil
    }

    private static func complaint(about report: RecordingReport) -> String? {
        let sums = report.segments.reduce(into: (frames: Int64(0), bytes: Int64(0))) { sums, segment in
            sums.frames += segment.frames
            sums.bytes += segment.bytes
        }
        if sums.frames != report.frames || sums.bytes != report.bytes { return "a report with wrong sums" }
        if report.segments.contains(where: { !($0.seconds >= 0 && $0.seconds.isFinite) || $0.frames < 0 }) {
            return "a segment of less than nothing"
        }
        if let gap = report.gaps.first(where: { $0.position < 0 || $0.milliseconds ?? 0 < 0 }) { return "\(gap)" }
        if let splice = report.splices.first(where: { $0.position < 0 || $0.droppedFrames < 0 }) { return "\(splice)" }
        let stretches = report.stretches[.foreign] + report.stretches[.repeated]
        if let stretch = stretches.first(where: { min($0.position, $0.frames, $0.milliseconds) < 0 }) {
            return "\(stretch)"
        }
        return report.titles.first { $0.position < 0 }.map { "\($0)" }
    }
}

extension PathRun {
    /// The frames that the files contain according to their sidecars, and a complaint if a file or a sidecar is wrong.
    fileprivate var recordedFrames: (frames: [[UInt8]], complaint: String?) {
        let files = system.files
        var frames: [[UInt8]] = []
        for segment in report?.segments ?? [] {
            let path = String(segment.path.dropFirst(PathRun.folder.count + 1))
            guard let content = files[path] else { return ([], "there is no \(path)") }
            let base = segment.isComplete ? path : String(path.dropLast(".part".count))
            guard let text = files[base.prefix(upTo: base.lastIndex(of: ".") ?? base.endIndex) + ".json"],
                let sidecar = Sidecar(parsing: text)
            else {
                if plan.fillsDisk { continue }
                return ([], "\(path) has no sidecar that can be read")
            }
            if let complaint = complaint(about: sidecar, of: segment) { return ([], complaint) }
            if sidecar.format.container == .ogg {
                frames += PartChecks.frames(of: content, by: PartFramer(.ogg))
            } else {
                frames += self.frames(in: content.suffix(Int(segment.bytes)), after: frames.count)
            }
        }
        return (frames, nil)
    }

    /// Splits the content of a file into the frames that it may have, after `count` frames. Bytes that are none of them
    /// frames count as one more frame at the end.
    private func frames(in content: ArraySlice<UInt8>, after count: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = content
        for frame in witness.recordable.dropFirst(count) where rest.starts(with: frame) {
            frames.append(frame)
            rest = rest.dropFirst(frame.count)
        }
        return rest.isEmpty ? frames : frames + [Array(rest)]
    }

    private func complaint(about sidecar: Sidecar, of segment: RecordedSegment) -> String? {
        if sidecar.samples < 0 { return "a sidecar of \(sidecar.samples) samples" }
        guard sidecar.state == .complete else { return plan.fillsDisk ? nil : "a sidecar that was never finished" }
        if sidecar.frames != segment.frames || sidecar.bytes != segment.bytes { return "a sidecar with wrong sums" }
        let places =
            sidecar.gaps.map(\.position) + sidecar.splices.map(\.position) + sidecar.titles.map(\.position)
            + (sidecar.foreign + sidecar.repeated).flatMap { [$0.position, $0.position + $0.frames] }
        return places.allSatisfy { $0 >= 0 && $0 <= sidecar.frames } ? nil : "a sidecar that tells of what is elsewhere"
    }
}

extension [[UInt8]] {
    /// Whether `others` contains all elements, in this order.
    fileprivate func isContained(in others: [[UInt8]]) -> Bool {
        var rest = others[...]
        for element in self {
            guard let place = rest.firstIndex(of: element) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}
