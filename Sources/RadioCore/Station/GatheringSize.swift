// SPDX-License-Identifier: MIT

/// How many bytes of a live connection may gather before the loop is woken: what the station sends in a third of a
/// second.
///
/// To wake a process costs more than all it does with the crumbs that a station sends, a dozen a second. The size
/// follows the leanest second so far, so that a variable bit rate seldom waits for longer than that third. A pure
/// value, made anew for each connection.
package struct GatheringSize: Sendable {
    /// 1: nothing gathers. So it is until a second of audio has come.
    package private(set) var bytes = 1
    /// Bytes in the leanest second so far.
    private var leanest = Int64.max
    /// Where the present second began.
    private var start: Position?

    /// The share of a second that may gather.
    private static let share: Int64 = 3
    private static let most: Int64 = 16 * 1024

    package init() {}

    /// Audio has come up to a position. True where ``bytes`` has changed by enough to matter.
    package mutating func received(upTo position: Position, sampleRate: Int) -> Bool {
        guard let start, start.samples <= position.samples else {
            start = position
            return false
        }
        let samples = position.samples - start.samples
        guard samples >= Int64(sampleRate), samples > 0 else { return false }
        self.start = position
        let second = Double(position.bytes - start.bytes) * Double(sampleRate) / Double(samples)
        leanest = min(leanest, Int64(second))
        let size = Int(max(1, min(leanest / Self.share, Self.most)))
        guard abs(size - bytes) > bytes / 8 else { return false }
        bytes = size
        return true
    }
}
