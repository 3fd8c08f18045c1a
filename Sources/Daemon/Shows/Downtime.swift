// SPDX-License-Identifier: MIT

import Instants

/// The time between the last sign of life of an earlier run of the daemon and the start of this run. Only audio of that
/// time is missing because no daemon ran; what is missing before or after it is missing for another reason.
struct Downtime: Hashable {
    let span: Range<WallInstant>

    static let cause = "Aircheck was not running"
    /// The cause of missing audio if nothing is known about it.
    static let unknownCause = "no audio arrived"

    /// A run may lose this much audio at its end: what it had received but not written.
    private static let unwritten = Duration.seconds(5)
    /// A station sends audio within this time after the start, unless it is unavailable.
    private static let timeToConnect = Duration.seconds(30)

    /// `lastSign`: nil if it is unknown how long the earlier run lived. Audio from before the start is then missing
    /// because no daemon ran.
    init(since lastSign: WallInstant?, until start: WallInstant) {
        span = min(lastSign ?? WallInstant(nanoseconds: .min), start)..<start
    }

    /// Divides a span of missing audio by causes. `why` returns what is known of the station in a span of this run.
    func causes(
        of missing: Range<WallInstant>, why: (Range<WallInstant>) -> String?
    ) -> [RecordingResult.Cause] {
        var down = missing.clamped(to: span)
        guard !down.isEmpty else {
            let known = missing.lowerBound >= span.upperBound ? why(missing) : nil
            return [.init(span: missing, text: known ?? Self.unknownCause)]
        }
        if down.lowerBound - missing.lowerBound < Self.unwritten { down = missing.lowerBound..<down.upperBound }
        let after = down.upperBound..<missing.upperBound
        let known = after.isEmpty ? nil : why(after)
        if known == nil, after.upperBound - after.lowerBound < Self.timeToConnect {
            down = down.lowerBound..<missing.upperBound
        }
        let causes: [RecordingResult.Cause] = [
            .init(span: missing.lowerBound..<down.lowerBound, text: Self.unknownCause),
            .init(span: down, text: Self.cause),
            .init(span: down.upperBound..<missing.upperBound, text: known ?? Self.unknownCause),
        ]
        return causes.filter { !$0.span.isEmpty }
    }
}
