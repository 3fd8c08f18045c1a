// SPDX-License-Identifier: MIT

package import Instants

/// The clock by which a recording is shown: that of its show, as its sidecars have it. A value.
///
/// Sidecars have no zone, but each has an offset. It holds until the next file begins.
package struct RecordedZone: TimeZoneRules {
    package let identifier = "the recording's"
    /// In order of time; never empty.
    private let offsets: [(from: WallInstant, offset: Int)]

    /// Nil for a recording without sidecars.
    package init?(of recording: LibraryRecording) {
        offsets = recording.segments.compactMap(\.sidecar?.at).map { ($0.instant, $0.utcOffset) }
            .sorted { $0.from < $1.from }
        if offsets.isEmpty { return nil }
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        (offsets.last { $0.from <= instant } ?? offsets[0]).offset
    }
}
