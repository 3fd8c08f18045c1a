// SPDX-License-Identifier: MIT

import RadioCore

/// A station's programme where it was left, because another station followed: it continues there when the station
/// returns.
struct LeftProgramme {
    let info: StationInfo
    let end: HubInlet.Bookmark
    /// The outage that went before the change; nil if the station had not failed.
    let outage: Outage?
}

extension [LeftProgramme] {
    /// Each remembers the fingerprints of two minutes.
    private static var most: Int { 4 }

    /// Adds a programme that is left, in place of what is known of the same station.
    mutating func leave(_ programme: LeftProgramme) {
        removeAll { $0.info.isStation(of: programme.info) }
        if count == Self.most { removeFirst() }
        append(programme)
    }

    /// Where the station of an answer was left; nil if it is another one, or if it plays.
    func programme(of answer: StationInfo, insteadOf current: StationInfo?) -> LeftProgramme? {
        guard answer.kind == .live, current.map({ !$0.isStation(of: answer) }) ?? false else { return nil }
        return last { $0.info.kind == .live && $0.info.isStation(of: answer) }
    }
}
