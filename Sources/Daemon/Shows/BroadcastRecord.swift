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
        var object = JSONObject()
        object.append("station", .string(airing.station))
        object.append("show", .string(airing.show.id))
        object.append("name", .string(airing.show.name))
        object.append("date", .string("\(airing.airing.date)"))
        object.append("from", time(airing.window.lowerBound))
        object.append("until", time(airing.window.upperBound))
        object.append("result", .string(result.verdict.name))
        object.append("missing_seconds", Self.seconds(result.lost))
        let missing = result.causes.prefix(Self.mostMissing).map { cause -> JSONValue in
            [
                "from": time(cause.span.lowerBound), "until": time(cause.span.upperBound),
                "seconds": Self.seconds(cause.span.length),
                "cause": .string(TitleText.cleaned(cause.text, toBytes: Self.longestCause)),
            ]
        }
        object.append("missing", .array(Array(missing)))
        object.append("recordings", .array(result.recordings.prefix(Self.mostRecordings).map(JSONValue.string)))
        return .object(object)
    }

    private func time(_ instant: WallInstant) -> JSONValue { .string(CivilTime(instant, in: zone).rfc3339) }

    private static func seconds(_ duration: Duration) -> JSONValue {
        .number(Double(duration.wholeMilliseconds) / 1_000)
    }
}

extension RecordingResult.Verdict {
    /// The name in ledgers, metrics and answers.
    package var name: String {
        switch self {
        case .complete: "complete"
        case .incomplete: "incomplete"
        case .missed: "missed"
        case .unknown: "unknown"
        }
    }
}
