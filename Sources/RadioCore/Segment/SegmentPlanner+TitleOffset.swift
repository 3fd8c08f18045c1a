// SPDX-License-Identifier: MIT

extension SegmentPlanner {
    /// Reads by how much titles are moved: a duration that may have a sign in front, a minute at most.
    package static func titleOffset(parsing text: String) throws(SettingFault) -> Duration {
        let isNegative = text.hasPrefix("-")
        let length = String(text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0))
        let duration = try SettingField.titleOffset.read(length, HumanDuration.parse)
        guard duration <= largestTitleOffset else {
            throw SettingFault(.titleOffset, "at most a minute, in either direction")
        }
        return isNegative ? .zero - duration : duration
    }
}
