// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats

/// The result of a broadcast of a show, as it is kept in the ledger of shows.
struct BroadcastRecord {
    var airing: ShowAiring
    var result: RecordingResult
    var zone: any TimeZoneRules

    /// A broadcast can have many gaps; the longest list has the first ones.
    static let mostMissing = 100
    private static let mostRecordings = 100
    /// The limit of a cause in bytes. The longest entry, with quotes that take two bytes each, is then still shorter
    /// than the longest line of a ledger.
    private static let longestCause = 200

    var json: JSONValue {
        .object([
            "station": airing.station, "show": airing.show.id, "name": airing.show.name, "date": airing.airing.date,
            "from": time(airing.window.lowerBound), "until": time(airing.window.upperBound),
            "result": result.verdict.rawValue, "missing_seconds": Self.seconds(result.lost),
            "missing": result.causes.prefix(Self.mostMissing).map { cause -> JSONObject in
                [
                    "from": time(cause.span.lowerBound), "until": time(cause.span.upperBound),
                    "seconds": Self.seconds(cause.span.length),
                    "cause": TitleText.cleaned(cause.text, toBytes: Self.longestCause),
                ]
            },
            "recordings": Array(result.recordings.prefix(Self.mostRecordings)),
        ])
    }

    private func time(_ instant: WallInstant) -> CivilTime { CivilTime(instant, in: zone) }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMilliseconds) / 1_000 }
}
