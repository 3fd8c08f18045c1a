// SPDX-License-Identifier: MIT

/// What tells a segment from all others of a station in one run.
///
/// A lineage is a sequence of lists whose numbers belong together: those of one packager between two restarts. Numbers
/// of different lineages say nothing of each other (RFC 8216 §6.3.4).
package struct HLSSegmentID: Hashable, Sendable {
    package var lineage: Int
    /// The media sequence number.
    package var number: Int64

    package init(lineage: Int, number: Int64) {
        (self.lineage, self.number) = (lineage, number)
    }
}
