// SPDX-License-Identifier: MIT

import Catalog
import Instants

/// How much of a manual recording is in files. A value.
package struct ManualResult: Hashable, Sendable {
    package private(set) var verdict: AiringResult.Verdict
    /// The length of what is missing.
    package private(set) var lost: Duration
    /// The IDs of its recordings, in order.
    package private(set) var recordings: [String]
    /// The absolute paths of their files, in order.
    package private(set) var files: [String]

    /// The time that it takes to connect is not missing.
    private static let timeToConnect = Duration.seconds(10)
    private static let tolerance = Duration.milliseconds(500)
    /// The clock of a station may run slower than that of this machine by one part in so many (300 ppm), and nothing is
    /// missing all the same.
    private static let drift = 3_300

    /// `cataloged`: what earlier runs of the daemon have recorded. `folder`: the recordings folder.
    init(_ recording: ManualRecording, _ cataloged: CatalogCoverage, in folder: String) {
        var recorded = recording.recorded
        recorded += RecordedTime(cataloged)
        var begin = recording.span.lowerBound
        if let first = recording.firstAudio, first - begin <= Self.timeToConnect {
            begin = min(max(begin, first), recording.span.upperBound)
        }
        let length = recording.span.upperBound - begin
        let uncovered = length - recorded.audio - recorded.gaps
        let isCovered = uncovered < max(Self.tolerance, length / Self.drift)
        lost = min(length, recorded.gaps + (isCovered ? .zero : uncovered))
        verdict = recorded.audio == .zero ? .missed : lost < Self.tolerance ? .complete : .incomplete
        recordings = recording.recordings
        let earlier = cataloged.files.map { ([folder] + $0.file.path).joined(separator: "/") }
        files = Array((earlier + recording.files).prefix(HookEvent.mostListed))
    }
}
