// SPDX-License-Identifier: MIT

/// Measures how much faster a station's clock runs than this machine's: fits a line through the least-delayed arrivals
/// of its windows, by least squares. A pure value.
///
/// The windows form groups, which have only the slope in common. Each connection is a group with an offset of its own,
/// because its edge may be nearer or farther. The audio after a jump is a new group as well.
package struct DriftMeter: Sendable {
    /// The sums of one group, around its means.
    private struct Group: Sendable {
        var count = 0.0
        var meanX = 0.0
        var meanY = 0.0
        var xx = 0.0
        var xy = 0.0
        var yy = 0.0

        /// Welford's algorithm, which keeps its precision however far the numbers are from zero.
        mutating func add(_ x: Double, _ y: Double) {
            count += 1
            let (dx, dy) = (x - meanX, y - meanY)
            meanX += dx / count
            meanY += dy / count
            xx += dx * (x - meanX)
            xy += dx * (y - meanY)
            yy += dy * (y - meanY)
        }
    }

    private var group = Group()
    private var lastY = 0.0
    /// The number of points in the previous groups, the number of those groups, and the sums of the groups.
    private var points = 0.0
    private var groups = 0.0
    private var sums = (xx: 0.0, xy: 0.0, yy: 0.0)

    /// The least number of windows, of a minute each, that give a result.
    private static let fewest = 10.0
    /// The result is reported once its standard error, in parts per million, is no larger than this.
    private static let precision = 20.0
    /// A step between two windows that is larger than this, in seconds, is a jump, not drift.
    private static let jump = 0.1

    package init() {}

    /// The drift in parts per million, positive if the station's clock is the faster one; nil until it is known well
    /// enough.
    package var partsPerMillion: Double? {
        let count = points + group.count
        let freedom = count - groups - 2
        let (xx, xy, yy) = (sums.xx + group.xx, sums.xy + group.xy, sums.yy + group.yy)
        guard count >= Self.fewest, freedom > 0, xx > 0 else { return nil }
        let error = (max(0, yy - xy * xy / xx) / freedom / xx).squareRoot()
        guard error * 1e6 <= Self.precision else { return nil }
        return -xy / xx * 1e6
    }

    /// Adds a window: at `time`, its least (arrival − media time) was `origin`; both in nanoseconds.
    mutating func add(_ time: Int64, _ origin: Int64) {
        let (x, y) = (Double(time) / 1e9, Double(origin) / 1e9)
        if group.count > 0, abs(y - lastY) > Self.jump { step() }
        lastY = y
        group.add(x, y)
    }

    /// Starts a new group: the next windows have another offset.
    mutating func step() {
        guard group.count > 0 else { return }
        points += group.count
        groups += 1
        sums = (sums.xx + group.xx, sums.xy + group.xy, sums.yy + group.yy)
        group = Group()
    }
}
