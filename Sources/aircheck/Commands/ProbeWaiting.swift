// SPDX-License-Identifier: MIT

import Instants
import Stations
import Words

/// What a probe says while a person waits for it.
struct ProbeWaiting {
    private let since: MonotonicInstant
    private var hasSaid = false

    /// After this time, the user is told what the probe is waiting for.
    private static let patience = Duration.seconds(2)

    init(since: MonotonicInstant) {
        self.since = since
    }

    /// The live line, such as `waiting for audio … 3 s`.
    func live(_ activity: Activity, at now: MonotonicInstant) -> String {
        "\(Self.words(activity)) … \((now - since).components.seconds) s"
    }

    /// The line for a log, returned once, after ``patience``; nil before and afterwards.
    mutating func line(_ activity: Activity, at now: MonotonicInstant) -> String? {
        guard !hasSaid, now - since >= Self.patience else { return nil }
        hasSaid = true
        return Self.words(activity) + " …"
    }

    private static func words(_ activity: Activity) -> String {
        Wording.waiting(activity) ?? "listening for a few seconds"
    }
}
