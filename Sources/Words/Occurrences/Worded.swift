// SPDX-License-Identifier: MIT

package import Engine

/// A notice of a use that the engine does not know (``UseNotice/other(_:)``), with its words: this target extends the
/// notice, and nothing else has to know it.
package protocol Worded: UseReport {
    /// Nil if the notice is not worth a line.
    func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence?
}
