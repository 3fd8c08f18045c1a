// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Storage

/// A part of the daemon that no other part has to know. It gets what it needs from a ``DaemonContext``, and says what
/// happens by ``DaemonEvent/other(_:)``. A new part is an ``Addition``.
protocol DaemonPart {
    /// Goes on from what an earlier run has left. Called before the first configuration applies.
    func resume(_ earlier: inout EarlierRun)
    /// Follows this configuration from now on.
    func use(_ configuration: Configuration)
    /// Takes note of what a use has told.
    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey)
    /// Takes note of the end of a use. `outcome`: nil if the use could not begin.
    func ended(_ use: UseID, _ outcome: (any UseOutcome)?)
    /// Takes note of a finished file.
    func finished(_ bundle: FinishedBundle)
    /// The daemon begins to end.
    func stop()
    /// All recordings have ended, and nothing else will happen.
    func finish()
    /// Whether the end of the daemon need not wait for this part.
    var isIdle: Bool { get }
    /// The daemon ends now. The last call.
    func close()
}

extension DaemonPart {
    func resume(_ earlier: inout EarlierRun) {}
    func use(_ configuration: Configuration) {}
    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {}
    func ended(_ use: UseID, _ outcome: (any UseOutcome)?) {}
    func finished(_ bundle: FinishedBundle) {}
    func stop() {}
    func finish() {}
    var isIdle: Bool { true }
    func close() {}
}
