// SPDX-License-Identifier: MIT

/// The refused deletions that the ledger already contains, so that they are not entered again by each run.
struct NotedRefusals: Sendable {
    private struct Files: Hashable {
        var recording: String
        var paths: [String]

        init(_ deletion: RetentionOutcome.Deletion) { (recording, paths) = (deletion.recording, deletion.paths) }
    }

    private var refusals: [Files: RetentionOutcome.Refusal] = [:]

    /// The maximum number of refusals that are remembered. A single run has at most a thousand.
    private static let most = 10_000

    /// Why these files were not deleted at the last attempt; nil if unknown.
    func last(_ deletion: RetentionOutcome.Deletion) -> RetentionOutcome.Refusal? { refusals[Files(deletion)] }

    /// Notes what a run has deleted and what it could not delete. A run does not try all recordings, so refusals of
    /// earlier runs are kept.
    mutating func note(_ outcome: RetentionOutcome) {
        if refusals.count > Self.most { refusals = [:] }
        for deletion in outcome.deletions { refusals[Files(deletion)] = deletion.refusal }
    }
}
