// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// The memory and the descriptors of a process, which must stay flat over a run, and the delay of its loop, which must
/// stay short.
struct FlatFigures: CustomStringConvertible {
    struct Sample {
        /// The resident memory minus the largest possible page cache of the catalog.
        let residentKiB: Int
        let descriptors: Int
        /// The longest delay of the loop, in milliseconds.
        let lag: Double

        /// Takes a sample. `catalog` is the path of the process's catalog: SQLite caches the pages of this file, up to
        /// a limit.
        init(of pid: pid_t, catalog: String, lag: Double) throws {
            guard let status = ProcessStatus(of: pid) else { throw Harm("process \(pid) is gone") }
            var file = stat()
            guard lstat(catalog, &file) == 0 else { throw Harm("the catalog \(catalog) is gone") }
            residentKiB = status.residentMemory >> 10 - min(Int(file.st_size) >> 10, Self.catalogCacheKiB)
            descriptors = try ProcessFigures.descriptors(of: pid)
            self.lag = lag
        }

        /// The `cache_size` that the process sets for its catalog.
        private static let catalogCacheKiB = 4_096
    }

    let description: String

    /// The longest permitted delay of the loop, whatever the trouble, in milliseconds.
    static let mostLag = 100.0

    /// Compares the samples of a run. Throws in any of these cases:
    ///
    /// - The memory grew by more than 1 MiB an hour, or 2 MiB in all, from the second quarter of the run to the last,
    ///   which is half a run later. Growth of less than half a MiB is noise.
    /// - The usual number of descriptors changed by more than two.
    /// - The loop was late.
    init(_ samples: [Sample], seconds: Int) throws {
        let quarters = (0..<4).map { samples[samples.count * $0 / 4..<samples.count * ($0 + 1) / 4] }
        guard quarters.allSatisfy({ !$0.isEmpty }) else { throw SetupError("the run is too short to compare quarters") }
        let memory = quarters.map { Self.median($0.map(\.residentKiB)) }
        let descriptors = quarters.map { Self.median($0.map(\.descriptors)) }
        let lag = samples.map(\.lag).max() ?? 0
        let hours = Double(seconds) / 2 / 3_600
        let growth = Double(memory[3] - memory[1])
        description =
            "resident without the catalog's cache \(memory.map(String.init).joined(separator: ", ")) KiB by quarters"
            + " of the run, descriptors \(descriptors.map(String.init).joined(separator: ", ")),"
            + " the loop was late by \((lag * 10).rounded() / 10) ms at most"
        try Harm.unless(growth <= max(512, min(1_024 * hours, 2_048)), "memory grows: \(description)")
        try Harm.unless(abs(descriptors[3] - descriptors[1]) <= 2, "descriptors change: \(description)")
        try Harm.unless(lag <= Self.mostLag, "the loop is late: \(description)")
    }

    private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}
