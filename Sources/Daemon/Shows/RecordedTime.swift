// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Recorder

/// How much time recordings cover, whatever the clock showed. A value.
struct RecordedTime: Hashable, Sendable {
    /// The length of the audio in files.
    var audio = Duration.zero
    /// The length of the gaps between, as far as it is known.
    var gaps = Duration.zero

    init() {}

    /// What a recording of this run has brought. A gap in front of the first frame is no part of the recording.
    init(_ report: RecordingReport) {
        guard report.frames > 0 else { return }
        audio = .seconds(report.seconds)
        gaps = report.gaps.filter { $0.position > 0 }.reduce(.zero) {
            $0 + .milliseconds(max(0, $1.milliseconds ?? 0))
        }
    }

    /// What is in files of the catalog.
    init(_ coverage: CatalogCoverage) {
        for file in coverage.files {
            audio += .milliseconds(min(max(0, file.audio), Self.most))
            for gap in file.gaps where gap.at > file.at { gaps += .milliseconds(min(max(0, gap.length), Self.most)) }
        }
    }

    /// In milliseconds: the longest file or gap that is believed.
    private static let most = Int64(100 * 86_400_000)

    static func += (sum: inout RecordedTime, more: RecordedTime) {
        sum.audio += more.audio
        sum.gaps += more.gaps
    }
}
