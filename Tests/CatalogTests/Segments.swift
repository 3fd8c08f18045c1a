// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import RadioFormats
import TestSupport

/// Makes segments for the catalog.
enum Segments {
    static let start = WallInstant(nanoseconds: 1_795_249_500_000_000_000)

    /// A segment of a recording. It lasts an hour, and has titles and perhaps a gap.
    static func make(
        _ recording: String, _ number: Int = 1, station: String = "fip", show: String? = nil, titles: [String] = [],
        hasGap: Bool = false, state: Sidecar.State = .complete, hour: Int = 0
    ) -> LibrarySegment {
        let at = CivilTime(start + .seconds(3_600 * (hour + number - 1)), utcOffset: 7_200)
        var sidecar = Sidecar(state, at: at, frames: 137_812, bytes: 57_600_000, samples: 158_760_000)
        sidecar.recording = recording
        sidecar.number = number
        sidecar.station = "Station \(station)"
        sidecar.stationID = station
        if let show {
            let until = CivilTime(start + .seconds(3_600 * (hour + number)), utcOffset: 7_200)
            sidecar.show = Sidecar.Show(id: show, name: "Show \(show)", from: at, until: until)
        }
        sidecar.titles = titles.enumerated().map { index, text in
            Sidecar.Title(
                at: CivilTime(at.instant + .seconds(index * 240), utcOffset: 7_200), position: Int64(index), text: text)
        }
        if hasGap {
            sidecar.gaps = [
                Sidecar.Gap(at: at, milliseconds: 12_500, cause: "the server closed", tried: [], position: 5)
            ]
            sidecar.splices = [Sidecar.Splice(at: at, position: 9, droppedFrames: 3, by: "match")]
        }
        let isPart = state == .growing
        return LibrarySegment(
            folders: [station], base: "\(recording) \(number)",
            audio: .init(fileExtension: "mp3", bytes: 57_602_000, isPart: isPart), description: .sidecar(sidecar))
    }

    /// Many segments of ten stations; each recording has three segments.
    static func many(_ count: Int) -> [LibrarySegment] {
        (0..<count).map { index in
            make(
                "r\(index / 3)", index % 3 + 1, station: "s\(index / 3 % 10)", show: index % 2 == 0 ? nil : "show",
                titles: ["Artist \(index) - Song \(index % 97)", "Other \(index % 13) - Tune"], hasGap: index % 5 == 0,
                hour: index)
        }
    }
}

extension CatalogStore {
    /// The newest titles with these words.
    func titles(matching text: String, limit: Int) throws(CatalogError) -> [CatalogTitle] {
        var query = CatalogQuery()
        (query.text, query.limit) = (text, limit)
        return try titles(query)
    }
}
