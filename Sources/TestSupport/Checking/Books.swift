// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// A station in a daemon's books, and the truth about it.
package struct BookedStation {
    package let id: String
    package let judge: BooksJudge
    /// When it is off the air.
    package let away: [Range<WallInstant>]
    /// When it is recorded without a show; nil for never.
    package let recorded: Range<WallInstant>?
    /// The IDs of its shows, each of which is over.
    package let shows: [String]

    package init(
        _ id: String, _ judge: BooksJudge, away: [Range<WallInstant>], recorded: Range<WallInstant>?, shows: [String]
    ) {
        (self.id, self.judge, self.away, self.recorded, self.shows) = (id, judge, away, recorded, shows)
    }
}

/// What a daemon's books say: its recordings by their purposes, and its verdicts.
package struct Books {
    /// What recordings are made for: a show, or a station.
    package struct Purpose: Hashable, CustomStringConvertible {
        package let station: String
        package let show: String?

        package init(station: String?, show: String?) { (self.station, self.show) = (station ?? "", show) }

        package var description: String { show ?? station }
    }

    package let recordings: [Purpose: [BookedRecording]]
    package let shows: [BookedShow]

    package init(_ recordings: [(Purpose, BookedRecording)], _ shows: [BookedShow]) {
        self.recordings = Dictionary(grouping: recordings, by: \.0).mapValues { $0.map(\.1) }
        self.shows = shows
    }

    private var all: [BookedRecording] { recordings.values.flatMap(\.self) }
    package var files: Int { all.reduce(0) { $0 + $1.files.count } }
    package var frames: Int64 { all.reduce(0) { $0 + $1.frames } }
    package var gaps: Int { all.reduce(0) { $0 + $1.files.reduce(0) { $0 + $1.sidecar.gaps.count } } }
    package var links: Int { all.count { $0.continues != nil } }
    package var verdicts: [String: Int] { Dictionary(shows.map { ($0.result, 1) }, uniquingKeysWith: +) }

    /// What is wrong with the books; empty if they agree with the frames. `down`: when no daemon ran; `export`: the
    /// recordings of a purpose as one file; nil if they cannot be asked for.
    package func complaints(
        _ stations: [BookedStation], down: [Range<WallInstant>],
        export: (Purpose, [BookedRecording]) throws -> [UInt8]?
    ) -> [String] {
        var complaints: [String] = []
        var rest = recordings
        for station in stations {
            for show in [nil] + station.shows.map(Optional.some) {
                let purpose = Purpose(station: station.id, show: show)
                let found = rest.removeValue(forKey: purpose) ?? []
                var flaws = station.judge.complaints(about: found) + exported(purpose, found, station.judge, export)
                if let show {
                    flaws += verdict(show, station, found, down)
                } else if let span = station.recorded {
                    flaws += station.judge.unexplained(in: span, from: found, away: station.away + down)
                }
                complaints += flaws.map { "\(purpose): \($0)" }
            }
        }
        return complaints + rest.keys.map { "nobody asked for recordings of \($0)" }
    }

    private func exported(
        _ purpose: Purpose, _ recordings: [BookedRecording], _ judge: BooksJudge,
        _ export: (Purpose, [BookedRecording]) throws -> [UInt8]?
    ) -> [String] {
        guard !recordings.isEmpty else { return [] }
        do {
            return try export(purpose, recordings).map { judge.complaints(aboutExport: $0, of: recordings) } ?? []
        } catch {
            return ["it cannot be exported: \(error)"]
        }
    }

    private func verdict(
        _ id: String, _ station: BookedStation, _ recordings: [BookedRecording], _ down: [Range<WallInstant>]
    ) -> [String] {
        let found = shows.filter { $0.id == id && $0.station == station.id }
        guard let show = found.first, found.count == 1 else { return ["it was judged \(found.count) times"] }
        return station.judge.complaints(about: show, from: recordings, away: station.away, down: down)
            + station.judge.unexplained(in: show.window, from: recordings, away: station.away + down)
    }
}
