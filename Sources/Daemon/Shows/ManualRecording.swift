// SPDX-License-Identifier: MIT

import Catalog
package import Instants
import RadioCore
import Recorder

/// A recording that a user has requested from a running daemon, independent of any show.
///
/// It lasts as long as the user requested, by the monotonic clock: setting the wall clock makes it neither longer nor
/// shorter. All of its instants are of the monotonic clock. They are converted to wall-clock times for files and
/// people.
package struct ManualRecording: Hashable, Sendable {
    package var number: Int
    /// The ID of the station.
    package var station: String
    package var span: Range<MonotonicInstant>
    /// The parts in the order in which they began; at most the last ``mostParts``.
    private(set) var parts: [ManualPart] = []

    /// Whether its result was reported as unknown, so that it is judged again.
    var isUnknown = false

    /// The longest recording that a user may request.
    package static let longest = Duration.seconds(31 * 86_400)
    /// The maximum number of parts that are kept: more than one part an hour in the longest recording. Parts before
    /// these count as missing.
    private static let mostParts = 1_000

    init(number: Int, station: String, span: Range<MonotonicInstant>, parts: [ManualPart] = []) {
        self.number = number
        self.station = station
        self.span = span
        self.parts = parts.suffix(Self.mostParts)
    }

    package var key: UseKey { UseKey(station, .manual(number)) }

    /// Adds a part that has its first file, whose audio aired from `start` on.
    mutating func began(_ part: String, at start: MonotonicInstant) {
        parts = (parts + [ManualPart(id: part, start: start)]).suffix(Self.mostParts)
    }

    /// Completes a part that has ended.
    mutating func ended(_ part: String, _ report: RecordingReport) {
        guard let index = parts.firstIndex(where: { $0.id == part }) else { return }
        parts[index].ended(report)
    }

    /// The IDs of the parts whose files only the catalog knows.
    var catalogedParts: [String] { parts.filter { $0.content == nil }.map(\.id) }

    /// How much of the recording is in files. `coverage` holds the files of ``catalogedParts``; it is nil if the
    /// catalog does not answer.
    func result(_ coverage: CatalogCoverage?, in folder: String, _ clock: ClockReading) -> RecordingResult {
        let files = Dictionary(grouping: coverage?.files ?? [], by: \.file.recording)
        var contents = parts.map { $0.content ?? ManualPart.Content(files[$0.id] ?? [], in: folder) }
        for (index, own) in OwnAudio.inSequence(contents.map(\.own)).enumerated() { contents[index].own = own }
        let result = RecordingResult(
            window: clock.wall(at: span), coverages: zip(parts, contents).map { $0.coverage($1, clock) },
            slack: Self.timeToConnect)
        return coverage == nil ? result.withoutCatalog() : result
    }

    /// The time that connecting takes does not count as missing.
    private static let timeToConnect = Duration.seconds(10)
}
