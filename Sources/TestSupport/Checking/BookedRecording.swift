// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import RadioFormats

/// A recording as a daemon's books describe it, with its files.
package struct BookedRecording {
    package struct File {
        package var sidecar: Sidecar
        package var audio: [UInt8]

        package init(_ sidecar: Sidecar, audio: [UInt8]) { (self.sidecar, self.audio) = (sidecar, audio) }
    }

    /// As listed, like everything up to ``files``.
    package let id: String
    package let began: WallInstant
    package let ended: WallInstant
    package let seconds: Double
    package let frames: Int64
    package let continues: String?
    /// In the order in which they are listed.
    package let files: [File]
    /// The frames that are really in the files.
    package let report: FrameReport

    package init(
        id: String, began: WallInstant, ended: WallInstant, seconds: Double, frames: Int64, continues: String?,
        files: [File], _ checker: FrameChecker
    ) {
        (self.id, self.began, self.ended, self.seconds, self.frames) = (id, began, ended, seconds, frames)
        (self.continues, self.files) = (continues, files)
        report = checker.check(files.map(\.audio))
    }

    /// The recordings of one purpose in the order in which they were made: each after the one that it continues.
    package static func inOrder(_ recordings: [BookedRecording]) -> [BookedRecording] {
        var rest = recordings.sorted { ($0.began, $0.ended) < ($1.began, $1.ended) }
        var ordered: [BookedRecording] = []
        while !rest.isEmpty {
            let last = ordered.last?.id
            let index =
                last.flatMap { last in rest.firstIndex { $0.continues == last } }
                ?? rest.firstIndex { next in !rest.contains { $0.id == next.continues } } ?? 0
            ordered.append(rest.remove(at: index))
        }
        return ordered
    }

    /// The gaps at the end.
    var trailing: [Sidecar.Gap] {
        guard let sidecar = files.last?.sidecar else { return [] }
        return sidecar.gaps.filter { $0.position >= sidecar.frames }
    }
}

/// A daemon's verdict about a show.
package struct BookedShow {
    package let id: String
    package let station: String
    package let window: Range<WallInstant>
    package let result: String
    package let seconds: Double
    package let missing: [(span: Range<WallInstant>, cause: String)]

    /// An entry of the ledger of shows; nil if a member is missing.
    package init?(json: JSONValue) {
        func span(_ json: JSONValue) -> Range<WallInstant>? {
            guard let from = json["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:))?.instant,
                let until = json["until"]?.stringValue.flatMap(CivilTime.init(rfc3339:))?.instant, from <= until
            else { return nil }
            return from..<until
        }
        guard let id = json["show"]?.stringValue, let station = json["station"]?.stringValue, let window = span(json),
            let result = json["result"]?.stringValue, let seconds = json["missing_seconds"]?.doubleValue,
            let stretches = json["missing"]?.arrayValue
        else { return nil }
        (self.id, self.station, self.window, self.result, self.seconds) = (id, station, window, result, seconds)
        missing = stretches.compactMap { stretch in
            span(stretch).flatMap { span in stretch["cause"]?.stringValue.map { (span, $0) } }
        }
        guard missing.count == stretches.count else { return nil }
    }
}
