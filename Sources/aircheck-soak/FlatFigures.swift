// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// The memory and descriptors of a process that must stay flat over a run.
struct FlatFigures: CustomStringConvertible {
    struct Sample {
        let residentKiB: Int
        let descriptors: Int
        /// The longest delay of the loop, in milliseconds.
        let lag: Double

        init(of pid: pid_t, lag: Double) throws {
            guard let status = ProcessStatus(of: pid) else { throw Harm("process \(pid) is gone") }
            residentKiB = status.residentMemory >> 10
            descriptors = try ProcessFigures.descriptors(of: pid)
            self.lag = lag
        }
    }

    let description: String

    /// Throws if the memory grew by more than 1 MiB an hour (512 KiB for shorter times) in the second half of the run, or
    /// if the usual number of descriptors changed by more than two.
    init(_ samples: [Sample], seconds: Int) throws {
        let quarters = (0..<4).map { samples[samples.count * $0 / 4..<samples.count * ($0 + 1) / 4] }
        guard quarters.allSatisfy({ !$0.isEmpty }) else { throw SetupError("the run is too short to compare quarters") }
        let memory = quarters.map { Self.median($0.map(\.residentKiB)) }
        let descriptors = quarters.map { Self.median($0.map(\.descriptors)) }
        // From the middle of the third quarter to the middle of the fourth.
        let hours = Double(seconds) / 4 / 3_600
        let growth = memory[3] - memory[2]
        description =
            "resident \(memory.map(String.init).joined(separator: ", ")) KiB by quarters of the run,"
            + " descriptors \(descriptors.map(String.init).joined(separator: ", ")),"
            + " the loop late by \(((samples.map(\.lag).max() ?? 0) * 10).rounded() / 10) ms at most"
        try Harm.unless(Double(growth) <= max(512, 1_024 * hours), "memory grows: \(description)")
        try Harm.unless(abs(descriptors[3] - descriptors[1]) <= 2, "descriptors change: \(description)")
    }

    private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}
