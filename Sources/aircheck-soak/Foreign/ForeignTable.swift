// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// The results in figures, and the faults.
struct ForeignTable: CustomStringConvertible {
    private(set) var faults: [String] = []
    private var projects: Set<String> = []
    private var files = 0
    private var frames = 0
    private var exactFiles = 0
    private var byCodec: [String: Int] = [:]
    private var explained: [DifferenceReason: (files: Int, differences: Int)] = [:]
    private var joins = 0
    private var recordings = 0
    private var recordedFrames = 0
    private var stations = 0
    private var heldFrames = 0

    /// Adds a file as played.
    mutating func add(_ comparison: FileComparison) {
        projects.insert(comparison.file.project)
        files += 1
        frames += comparison.played.units.count
        byCodec[comparison.played.formats.first?.codec.rawValue ?? "none", default: 0] += 1
        var reasons: [DifferenceReason: Int] = [:]
        for difference in comparison.differences {
            if let reason = DifferenceReason.explaining(difference, in: comparison) {
                reasons[reason, default: 0] += 1
            } else {
                faults.append("\(comparison.file): \(difference.words(in: comparison))")
            }
        }
        for (reason, count) in reasons {
            explained[reason, default: (0, 0)].files += 1
            explained[reason, default: (0, 0)].differences += count
        }
        if comparison.differences.isEmpty { exactFiles += 1 }
    }

    /// Adds a file played from a random byte on.
    mutating func join(_ join: JoinedFile) {
        joins += 1
        do {
            let heard = try PlayedFile(join.comparison.file.name, join.bytes).units
            let fault = join.fault(of: .units(heard), upTo: join.comparison.played.units.count)
            if let fault { faults.append("\(join.comparison.file): \(fault)") }
        } catch {
            faults.append("\(join.comparison.file): joined at byte \(join.place): \(error)")
        }
    }

    /// Adds a file recorded over HTTP.
    mutating func recorded(_ comparison: FileComparison, _ heard: HeardUnits) {
        let units = comparison.played.units
        recordings += 1
        recordedFrames += units.count
        if heard.stretch(of: comparison, from: 0) != units.indices {
            faults.append("\(comparison.file): the recording does not hold the \(units.count) frames of the file")
        }
    }

    /// Adds a station joined at a random place.
    mutating func tunedIn(_ join: JoinedFile, _ heard: HeardUnits) {
        stations += 1
        let count = join.comparison.played.units.count
        guard let fault = join.fault(of: heard, upTo: count) else { return }
        if join.endsWithFrame, join.fault(of: heard, upTo: count - 1) == nil {
            heldFrames += 1
        } else {
            faults.append("\(join.comparison.file): recorded as a station, \(fault)")
        }
    }

    var description: String {
        let codecs = byCodec.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let reasons = DifferenceReason.allCases.compactMap { reason in
            explained[reason].map { "\n    \(reason.rawValue): \($0.differences) in \($0.files) files" }
        }
        return "\(files) files of \(projects.count) projects (\(codecs)), \(frames) frames"
            + "\n    equal to what ffprobe lists, to the byte and the sample: \(exactFiles) files"
            + reasons.joined()
            + "\n    joined at \(joins) places; recorded over HTTP: \(recordings) files, \(recordedFrames) frames;"
            + " tuned in to: \(stations) (\(heldFrames) keep back their last frame, because nothing shows that it is whole)"
    }
}
