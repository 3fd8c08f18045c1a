// SPDX-License-Identifier: MIT

extension CivilTime {
    /// The time in the log formats of web servers: `21/Nov/2026:20:00:00 +0100`.
    package var commonLogDate: String {
        let clock = [hour, minute, second].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(day, 2))/\(Self.months[month - 1])/\(padded(year, 4)):\(clock) \(offsetText(separator: ""))"
    }
}
