// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
import RadioFormats

/// A recording in the catalog: the totals of its sidecars.
package struct CatalogRecording: Hashable, Sendable {
    package var id: String
    package var stationID: String?
    package var station: String?
    package var show: Sidecar.Show?
    /// The air time of the first frame; nil if unknown.
    package var began: CivilTime?
    /// When the audio ended on air. Gaps took air time, too.
    package var ended: CivilTime?
    package var state: Sidecar.State
    package var isProtected: Bool
    package var segments: Int
    /// Bytes on disk.
    package var bytes: Int64
    package var frames: Int64
    /// The length of the audio, without gaps.
    package var milliseconds: Int64
    package var gaps: Int
    /// How much is missing in the gaps, as far as known.
    package var missingMilliseconds: Int64
    /// The milliseconds between the first frame and the end that are neither audio nor gap: the clock was set forward,
    /// or files were deleted. Negative if the clock was set back.
    package var unaccounted: Int64 = 0
    /// The recording that this one continues, for example from before a restart of the daemon.
    package var earlier: Earlier?
    /// Whether another recording continues this one.
    package var isContinued = false
    /// The files that were growing when they were noted last. The recorder knows their present figures.
    package var growing: [CatalogSegment] = []

    package struct Earlier: Hashable, Sendable {
        package var id: String
        /// The air time at which the earlier recording ended; nil if it has been deleted.
        package var ended: CivilTime?
    }
}

/// A file of a recording in the catalog.
package struct CatalogSegment: Hashable, Sendable {
    /// The path below the recordings folder, without extension, by which the catalog knows the file.
    package var catalogPath: String
    /// Which file of its recording it is, as in ``CatalogUnit``.
    package var file: String?
    package var fileExtension: String
    package var number: Int?
    package var at: CivilTime?
    package var state: Sidecar.State
    package var isProtected = false
    package var bytes: Int64
    package var frames: Int64
    package var milliseconds: Int64
    /// How much is missing in the gaps after the first frame, as far as known.
    package var missingMilliseconds: Int64 = 0

    /// The length in air time: the audio and the gaps after its first frame.
    package var length: Duration { .milliseconds(milliseconds.addingSaturated(missingMilliseconds)) }

    /// The path of the audio below the recordings folder.
    package var path: String {
        "\(catalogPath).\(fileExtension)\(state == .growing ? ".part" : "")"
    }
}

/// The unit of retention, kept or deleted as a whole: the recording of a show, or one file of any other recording,
/// which may continue for years.
package struct CatalogUnit: Hashable, Sendable {
    package var recording: String
    package var stationID: String?
    package var showID: String?
    package var bytes: Int64 = 0
    /// Paths below the recordings folder, without extensions.
    package var paths: [String] = []
    /// Which files of the recording they are, as far as known.
    package var files: [String] = []
}

/// A recording with all its parts, or with those of one of its files.
package struct CatalogDetail: Hashable, Sendable {
    package var recording: CatalogRecording
    /// The segments in the order of their times.
    package var segments: [CatalogSegment]
    package var titles: [CatalogTitle]
    package var gaps: [Sidecar.Gap]
    package var splices: [Sidecar.Splice]
    /// The copies of these segments, which do not count.
    package var copies: [CatalogCopy] = []
    /// The numbers of the recording's files that the daemon has deleted, in order. Two ranges never touch.
    package var deleted: [ClosedRange<Int>] = []
    /// The number of the file to which the parts belong; nil for all files.
    package var file: Int?
}

/// A file that states the same recording and number as another, because a user has copied audio and sidecar. Only the
/// original counts: in lists, exports and verification, and for retention.
package struct CatalogCopy: Hashable, Sendable {
    /// The path below the recordings folder, with extension.
    package var path: String
    package var original: String
}

/// A title in the catalog.
package struct CatalogTitle: Hashable, Sendable {
    package var recording: String
    package var station: String?
    package var at: CivilTime
    package var text: String
    package var artist: String?
    package var title: String?
}

/// A query for recordings, or for titles in them. Conditions that are nil are ignored.
package struct CatalogQuery: Hashable, Sendable {
    /// A station's ID.
    package var station: String?
    /// A show's ID.
    package var show: String?
    /// The beginning and end of a span. Finds recordings that overlap it, or titles that begin in it.
    package var from: CivilTime?
    package var until: CivilTime?
    /// Search words. At least one title of the recording must contain, for each search word, a word that begins with
    /// it.
    package var text: String?
    /// The day on which a broadcast begins, in the zone of its show. Finds recordings of this broadcast. If the date of
    /// a broadcast is unknown, it is the one on which its recording was to begin.
    package var date: CalendarDate?
    package var limit = 50
    /// The last recording of the previous page of a list: only the recordings after it are listed.
    package var after: SortKey?

    /// A place in the list, which is ordered from the newest to the oldest.
    package struct SortKey: Hashable, Sendable {
        package var began: Int64
        package var id: String

        package init(began: Int64, id: String) {
            self.began = began
            self.id = id
        }
    }

    package init() {}
}

extension CatalogRecording {
    /// The air time from the first frame to the end, including gaps; nil if unknown.
    package var covered: Range<WallInstant>? {
        guard let began = began?.instant, let ended = ended?.instant else { return nil }
        return began..<max(began, ended)
    }

    /// The length of the recording, including gaps.
    package var length: Duration {
        covered.map { $0.length - .milliseconds(unaccounted) } ?? .milliseconds(milliseconds)
    }

    /// The place of the recording in lists.
    package var sortKey: CatalogQuery.SortKey { .init(began: began?.milliseconds ?? 0, id: id) }
}

extension CivilTime {
    /// Milliseconds since 1970.
    package var milliseconds: Int64 { instant.milliseconds }
}

extension WallInstant {
    /// Milliseconds since 1970, rounded down.
    var milliseconds: Int64 { nanoseconds.dividedRoundingDown(by: 1_000_000).quotient }
}
