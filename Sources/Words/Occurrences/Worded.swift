// SPDX-License-Identifier: MIT

/// A notice of a use that the engine does not know (``UseNotice/other(_:)``), or of a part that the daemon does not
/// know (``DaemonEvent/other(_:)``), with its words: this target extends the notice, and nothing else has to know it.
package protocol Worded {
    /// Nil if the notice is not worth a line.
    func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence?
}
