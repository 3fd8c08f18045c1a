// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// The clock by which the times of a recording are shown: the clock of its show, as its sidecars state it.
///
/// Sidecars name no zone, but each states an offset from UTC. The offset applies until the next file begins.
package struct RecordedZone: TimeZoneRules {
    package let identifier = "the recording's"
    /// The offsets in order of time; never empty.
    private let offsets: [(from: WallInstant, offset: Int)]

    /// Nil if no segment has a sidecar.
    package init?(of segments: [LibrarySegment]) {
        offsets = segments.compactMap(\.sidecar?.at).map { ($0.instant, $0.utcOffset) }
            .sorted { $0.from < $1.from }
        if offsets.isEmpty { return nil }
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        (offsets.last { $0.from <= instant } ?? offsets[0]).offset
    }
}
