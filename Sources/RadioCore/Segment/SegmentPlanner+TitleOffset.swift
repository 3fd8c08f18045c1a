// SPDX-License-Identifier: MIT

extension SegmentPlanner {
    /// Parses a title offset: a duration with an optional sign, a minute at most. Throws a ``SettingFault``.
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
