// SPDX-License-Identifier: MIT

import Instants

/// Decides how the segments of a new lineage continue the audio that has been delivered. A value that holds no bytes.
///
/// Frames are dropped only if they equal delivered ones up to the end of these. If none do, all are new.
package struct HLSLineageJoin: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The frames so far tell nothing yet, or equal delivered ones that do not reach the end of these.
        case hold
        /// Drop the first frames: the next one continues the programme.
        case join(drop: Int)
        /// The frames do not continue the programme.
        case gap
    }

    private var matcher: FrameMatcher

    /// How far the clocks of two lineages may differ if frames alone do not determine the place, as in silence.
    private static let tolerance = Duration.milliseconds(1_500)

    /// `memory` has the audio that has been delivered.
    package init(after memory: FrameMemory) {
        matcher = FrameMatcher(memory)
    }

    /// Takes the lineage's next frame.
    package mutating func add(_ mark: FrameMark) { matcher.add(mark) }

    /// Returns a verdict. `isNewest`: whether no further segment is listed. `lead`: how long before the end of the
    /// delivered audio the first frame was on air, by the dates or the listing.
    package mutating func verdict(isNewest: Bool, lead: Duration?) -> Verdict {
        guard let place = place(lead) else { return isNewest ? .gap : .hold }
        return place.drop < matcher.count ? .join(drop: place.drop) : .hold
    }

    /// The place that frames determine; of several, the one that is closest in time.
    private mutating func place(_ lead: Duration?) -> FrameMatcher.Alignment? {
        var told = matcher.told().filter { $0.isFull && $0.drop > 0 }
        if told.isEmpty, matcher.endsAlike, let lead { told = matcher.fitting(lead, within: Self.tolerance) }
        guard told.count > 1 else { return told.first }
        return lead.flatMap { lead in
            told.min { ($0.lead - lead).magnitude < ($1.lead - lead).magnitude }
        }
    }
}
