// SPDX-License-Identifier: MIT

/// Shows that are over, but whose files may not be complete and cataloged yet, because the daemon has just started.
struct PendingVerdicts {
    /// Whether the files that an earlier run left behind have been completed.
    var isRecovered = false
    /// Whether the catalog knows all files.
    var isCataloged = false
    private var waiting: [(airing: ShowAiring, own: RecordingResult)] = []

    var isReady: Bool { isRecovered && isCataloged }

    mutating func add(_ airing: ShowAiring, _ own: RecordingResult) { waiting.append((airing, own)) }

    /// Removes and returns the shows that can be judged now.
    mutating func take() -> [(airing: ShowAiring, own: RecordingResult)] {
        guard isReady else { return [] }
        defer { waiting = [] }
        return waiting
    }
}
