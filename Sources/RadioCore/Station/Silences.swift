// SPDX-License-Identifier: MIT

import Instants

/// The silences of a connection: how long the last silence was, and when it ended. A pure value.
struct Silences: Hashable, Sendable {
    /// Audio that follows a silence of this length is not part of the burst.
    static let long = Duration.milliseconds(500)
    /// The shortest silence that may separate two lumps. ``HedgeDelay`` tolerates shorter pauses anyway, and gathering
    /// in the kernel causes some of them.
    static let betweenLumps = Duration.seconds(2)

    /// The length of the silence before the newest frames.
    private(set) var last = Duration.zero
    /// Whether the last silence was long, and the other connection was silent too when that silence ended.
    private(set) var wasShared = false
    /// When the last long silence ended.
    private(set) var brokenAt: MonotonicInstant?
    /// When the last silence that may have been a pause between two lumps ended.
    private(set) var lumpAt: MonotonicInstant?
    /// When the newest frames arrived; before the first frames, when the head of the response arrived.
    private var since: MonotonicInstant?

    /// Begins the first silence, at the head of the response.
    mutating func begin(_ now: MonotonicInstant) { since = now }

    /// Ends the current silence, because frames have arrived. `other`: the silences of the connection beside this one,
    /// if there is one.
    mutating func heard(_ now: MonotonicInstant, beside other: Silences?) {
        wasShared = isLong(now) && other?.isLong(now) ?? false
        last = since.map { max(.zero, now - $0) } ?? .zero
        if last >= Self.long { brokenAt = now }
        if last >= Self.betweenLumps { lumpAt = now }
        since = now
    }

    /// Shortens the current silence by `time`, for which the connection is not to blame.
    mutating func forgive(_ time: Duration) {
        since = since.map { $0 + time }
        brokenAt = brokenAt.map { $0 + time }
        lumpAt = lumpAt.map { $0 + time }
    }

    private func isLong(_ now: MonotonicInstant) -> Bool { since.map { now - $0 >= Self.long } ?? false }
}
