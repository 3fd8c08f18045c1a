// SPDX-License-Identifier: MIT

/// The refused deletions that the ledger has, so that it does not get them again at each run. A value.
struct NotedRefusals: Sendable {
    private struct Files: Hashable {
        var recording: String
        var paths: [String]

        init(_ deletion: RetentionOutcome.Deletion) { (recording, paths) = (deletion.recording, deletion.paths) }
    }

    private var refusals: [Files: RetentionOutcome.Refusal] = [:]

    /// The most refusals that are remembered. A run meets a thousand at most.
    private static let most = 10_000

    /// Returns why these files were not deleted the last time; nil if that is not known.
    func last(_ deletion: RetentionOutcome.Deletion) -> RetentionOutcome.Refusal? { refusals[Files(deletion)] }

    /// Notes what a run has deleted, and what it could not delete. A run does not try all recordings, so the refusals
    /// of earlier runs stay.
    mutating func note(_ outcome: RetentionOutcome) {
        if refusals.count > Self.most { refusals = [:] }
        for deletion in outcome.deletions { refusals[Files(deletion)] = deletion.refusal }
    }
}
