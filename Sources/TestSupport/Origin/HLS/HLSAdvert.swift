// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// A break for adverts, and how a list tells of it.
package struct HLSAdvert: Sendable {
    package enum Form: Hashable, Sendable, CaseIterable {
        /// EXT-X-CUE-OUT with the length, EXT-X-CUE-OUT-CONT with each segment, and EXT-X-CUE-IN.
        case cues
        /// EXT-X-CUE-OUT without a length, and EXT-X-CUE-IN.
        case bareCues
        /// EXT-X-CUE-OUT with the length, alone.
        case lengthOnly
        /// A date range with a command of SCTE-35 and a planned length that is wrong. A second tag ends it.
        case splice
        /// The same, but the tag that ends it has another id.
        case otherSplice
        /// A date range with a class. Its end gets known when it has aired.
        case category
    }

    /// Times of the programme. Tags before segments stand at the first segments that begin then.
    package var span: Range<Duration>
    package var form: Form

    package init(_ span: Range<Duration>, _ form: Form) { (self.span, self.form) = (span, form) }
}

extension HLSAdvert {
    /// The tags before a segment that begins at `start`, the one before it at `before`.
    func tags(before segment: HLSSegment, after before: HLSSegment?) -> [String] {
        func reaches(_ time: Duration) -> Bool { segment.start >= time && (before.map { $0.start < time } ?? true) }
        let length = (span.upperBound - span.lowerBound).inSeconds
        let elapsed = (segment.start - span.lowerBound).inSeconds
        switch form {
        case .splice, .otherSplice, .category: return []
        case .cues where span.contains(segment.start) && !reaches(span.lowerBound):
            return ["#EXT-X-CUE-OUT-CONT:ElapsedTime=\(elapsed),Duration=\(length)"]
        case .cues, .bareCues, .lengthOnly:
            if reaches(span.lowerBound) {
                return ["#EXT-X-CUE-OUT\(form == .bareCues ? "" : ":DURATION=\(length)")"]
            }
            return reaches(span.upperBound) && form != .lengthOnly ? ["#EXT-X-CUE-IN"] : []
        }
    }

    /// The tags of a list that is told at `time`.
    func tags(at time: Duration, epoch: WallInstant) -> [String] {
        guard time >= span.lowerBound else { return [] }
        let dates = HLSDates()
        let id = "\(span.lowerBound.wholeMilliseconds)"
        let start = "START-DATE=\"\(dates.text(of: span.lowerBound, epoch: epoch))\""
        let end = dates.text(of: span.upperBound, epoch: epoch)
        let isOver = time >= span.upperBound
        let range = "#EXT-X-DATERANGE:ID"
        switch form {
        case .cues, .bareCues, .lengthOnly: return []
        case .splice:
            return ["\(range)=\"\(id)\",\(start),PLANNED-DURATION=600,SCTE35-OUT=0xFC30"]
                + (isOver ? ["\(range)=\"\(id)\",\(start),END-DATE=\"\(end)\",SCTE35-IN=0xFC30"] : [])
        case .otherSplice:
            return ["\(range)=\"\(id)\",\(start),PLANNED-DURATION=600,SCTE35-OUT=0xFC30"]
                + (isOver ? ["\(range)=\"\(id)in\",START-DATE=\"\(end)\",SCTE35-IN=0xFC30"] : [])
        case .category:
            return ["\(range)=\"\(id)\",CLASS=\"com.example.ad\",\(start)\(isOver ? ",END-DATE=\"\(end)\"" : "")"]
        }
    }
}
