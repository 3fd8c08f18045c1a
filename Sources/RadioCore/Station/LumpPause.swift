// SPDX-License-Identifier: MIT

import Instants

/// Learns the pause between the lumps of a station that sends in lumps, across all of its connections. A pure value.
///
/// Some stations send ten or fifteen seconds of audio at a time, and nothing in between. Such a pause is not a stall,
/// and a new connection gets no new audio before the next lump either. After an outage, by contrast, a new connection
/// delivers at once what was on air meanwhile. Therefore a pause counts only if the connection that ended it had itself
/// been silent. A pause becomes the station's usual pause after two such pauses in a row, each of which took up at
/// least half of the time since the previous pause ended. A single pause is enough if a second connection was silent
/// during it, too.
struct LumpPause: Sendable {
    /// The usual pause; nil as long as the station is not known to send in lumps.
    var pause: Duration? { recent.count > 1 || isProven ? recent.max() : nil }

    /// The latest pauses, all in a row, each of which took up at least half of the time since the previous pause ended.
    private var recent: [Duration] = []
    /// Whether a second connection was silent during one of these pauses.
    private var isProven = false
    /// When new audio last arrived.
    private var heardAt: MonotonicInstant?
    /// When the last long pause ended; before the first long pause, when the station's first audio arrived.
    private var lumpAt: MonotonicInstant?

    private static let mostRecent = 3

    /// Counts the silence that new audio has ended, on a connection with these silences.
    mutating func heard(after silences: Silences, _ now: MonotonicInstant) {
        defer { heardAt = now }
        guard let heardAt, let lumpAt else {
            lumpAt = lumpAt ?? now
            return
        }
        // The burst of a promoted hedge is delivered at the promotion, in the middle of a silence of the hedge. That
        // silence is then longer than the time since the delivery.
        let pause = max(now - heardAt, silences.last)
        let cycle = now - lumpAt
        guard pause >= Silences.betweenLumps, silences.last >= Silences.long else {
            // The last long pause ended more than twice the longest known pause ago: the station now sends steadily.
            if let longest = recent.max(), cycle > longest * 2 { forget() }
            return
        }
        self.lumpAt = now
        guard pause >= cycle.scaled(1, over: 2) else { return forget() }
        recent = recent.suffix(Self.mostRecent - 1) + [pause]
        isProven = isProven || silences.wasShared
    }

    private mutating func forget() { (recent, isProven) = ([], false) }

    /// Drops the current silence: the process was held up, so the time since the last frame means nothing.
    mutating func interrupt() { heardAt = nil }
}
