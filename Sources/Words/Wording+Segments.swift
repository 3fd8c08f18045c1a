// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
package import Stations

extension Wording {
    /// How far a station is behind the air; nil if it is not, or by so little that nobody would notice.
    package static func behind(_ behind: Duration?) -> String? {
        guard let behind, behind >= noticeable else { return nil }
        return "\(Measure.span(behind)) behind the air"
    }

    private static let noticeable = Duration.seconds(5)

    /// The list, the variants and the segments of a station in HLS, each with the name of the fact.
    package static func facts(_ segments: SegmentFacts) -> [(name: String, text: String)] {
        let dates = segments.isDated ? "with dates" : "without dates"
        let container = segments.container.map { "\(name($0)), " } ?? ""
        var facts = [("HLS list", AddressText(segments.url).redacted)]
        if !segments.variants.isEmpty { facts.append(("variants", variants(segments))) }
        let secret = segments.isEncrypted ? ", encrypted (AES-128)" : ""
        return facts + [
            ("segments", "\(container)up to \(Measure.length(segments.targetDuration)) each, \(dates)\(secret)"),
            ("window", "\(Measure.span(segments.window)) of audio in the list"),
        ]
    }

    /// The bit rates of the variants, the taken one marked.
    private static func variants(_ segments: SegmentFacts) -> String {
        let rates = segments.variants.prefix(mostVariants).map { variant in
            let rate = variant.rate.map { "\(($0 + 500) / 1_000) kbit/s" } ?? "unknown"
            return variant == segments.variant ? "\(rate) (taken)" : rate
        }
        let more = segments.variants.count - rates.count
        return rates.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private static let mostVariants = 10

    private static func name(_ container: SegmentContainer) -> String {
        switch container {
        case .transportStream: "MPEG transport stream"
        case .fragments: "fragmented MP4"
        case .packed: "packed audio"
        }
    }
}
