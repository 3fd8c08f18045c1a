// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport

/// Checks audio files of other projects, which are played as files, recorded over HTTP, and joined anywhere. The
/// resulting frames must be those that ffprobe lists, and each difference must have a named explanation.
struct ForeignFiles: SoakCase {
    let name = "foreign-files"
    let hazard = "B45"

    /// The minimum numbers of projects and of files. If there are fewer, the packages were not fetched completely.
    private static let (leastProjects, leastFiles) = (5, 100)
    /// The number of random places at which each file is joined.
    private static let joins = 8
    /// The minimum number of bytes that a station sends before it falls silent. With fewer, it may not be recognised as
    /// a station yet.
    private static let leastForStation = 64 << 10
    /// The maximum numbers of programs that run at the same time. More recordings than listings can run, because a
    /// recording mostly waits.
    private static let (listings, recordings) = (6, 24)

    func run(_ plan: SoakPlan) throws -> String {
        let files = try ForeignAudio.files()
        guard !files.isEmpty else { return "SKIPPED: no package could be fetched, so there is no file to play" }
        let projects = Set(files.map(\.project)).count
        try Harm.unless(
            projects >= Self.leastProjects && files.count >= Self.leastFiles,
            "only \(files.count) files of \(projects) projects could be fetched")
        var random = SplitMix64(seed: plan.seed)
        var table = ForeignTable()
        let audible = try compare(files, &table)
        for comparison in audible {
            for _ in 0..<Self.joins { table.join(JoinedFile(comparison, &random)) }
        }
        try record(audible, &table)
        try tuneIn(audible, &table, &random)
        try Harm.unless(table.faults.isEmpty, "\(table)\n    " + table.faults.joined(separator: "\n    "))
        return "\(table)"
    }

    /// Compares the frames of all files with ffprobe's lists. Returns the files that contain frames.
    private func compare(_ files: [ForeignFile], _ table: inout ForeignTable) throws -> [FileComparison] {
        var audible: [FileComparison] = []
        for batch in files.batches(of: Self.listings) {
            for (file, listing) in try batch.map({ ($0, try Listing($0.path)) }) {
                let comparison = try FileComparison(file, listing)
                table.add(comparison)
                if !comparison.played.units.isEmpty { audible.append(comparison) }
            }
        }
        return audible
    }

    /// Records each file over HTTP, with a server that sends it as a file.
    private func record(_ comparisons: [FileComparison], _ table: inout ForeignTable) throws {
        for batch in comparisons.batches(of: Self.recordings) {
            let started = try batch.map { ($0, try Reception($0.file.bytes, ending: $0.file.ending, .file)) }
            for (comparison, reception) in started {
                table.recorded(comparison, try HeardUnits(recording: reception.files(), isOgg: comparison.isOgg))
            }
        }
    }

    /// Records the long files over HTTP, with a server that sends them like a station. Each recording starts at a
    /// random place in the first half of its file.
    private func tuneIn(
        _ comparisons: [FileComparison], _ table: inout ForeignTable, _ random: inout SplitMix64
    ) throws {
        let long = comparisons.filter { $0.file.bytes.count >= 2 * Self.leastForStation }
        for batch in long.batches(of: Self.recordings) {
            let started = try batch.map { comparison in
                let place = Int.random(in: 1..<comparison.file.bytes.count / 2, using: &random)
                let join = JoinedFile(comparison, at: place)
                return (join, try Reception(join.bytes, ending: comparison.file.ending, .station))
            }
            for (join, reception) in started {
                table.tunedIn(join, try HeardUnits(recording: reception.files(), isOgg: join.comparison.isOgg))
            }
        }
    }
}

extension Array {
    /// All elements, in batches of at most `count`.
    fileprivate func batches(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
