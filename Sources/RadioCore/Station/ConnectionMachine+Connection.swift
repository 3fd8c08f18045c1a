// SPDX-License-Identifier: MIT

package import Instants

extension ConnectionMachine {
    /// The role of a station's connection.
    package enum Role: Hashable, Sendable, CaseIterable {
        /// The connection whose frames the station delivers.
        case first
        /// The connection opened beside the first connection when that stalls, or when it hangs before it has delivered
        /// any audio.
        case hedge
    }

    /// One try to reach the station.
    package struct Attempt: Hashable, Sendable {
        /// The number of the try since the start, from 1.
        package var number: Int
        /// The index of the URL in the station's list of mirrors.
        package var mirror: Int
        /// Whether to use the URL at which the redirects ended last time, instead of the configured URL.
        package var viaLastFinalURL: Bool

        package init(number: Int, mirror: Int, viaLastFinalURL: Bool) {
            self.number = number
            self.mirror = mirror
            self.viaLastFinalURL = viaLastFinalURL
        }
    }

    /// How far a connection has got. Each step has its own deadline, and its own failure if the deadline passes.
    package enum Step: Hashable, Sendable, Comparable, CaseIterable {
        /// → connecting
        case resolving
        /// → securing, awaitingHead
        case connecting
        /// → awaitingHead
        case securing
        /// → awaitingFirstByte, resolving (a redirect)
        case awaitingHead
        /// → probing
        case awaitingFirstByte
        /// Bytes arrive, but no frame yet. → live, resolving (another path of the same server)
        case probing
        /// Frames arrive.
        case live
    }

    /// The facts about a connection on which decisions depend. A value, the same for both roles.
    package struct Connection: Hashable, Sendable {
        package internal(set) var attempt: Attempt
        package private(set) var step = Step.resolving
        /// Whether redirects led away from the configured URL.
        package private(set) var leadsElsewhere = false
        /// When the try began.
        private(set) var began: MonotonicInstant
        /// When the current step began; for a live connection, when the last frame arrived.
        package private(set) var since: MonotonicInstant
        private(set) var liveSince: MonotonicInstant?
        /// Whether the connection is a hedge beside a first connection that delivers: it tries a better entry of the
        /// list.
        package internal(set) var isReturn = false
        /// When the connection was promoted from hedge to first connection; nil if it was not.
        private(set) var promotedAt: MonotonicInstant?
        private(set) var silences = Silences()
        /// The length of the connection's audio that was new, and not delivered before; nil without such audio.
        private(set) var newAudio: Duration?

        /// Audio that arrives within this time is a burst or a lump.
        private static let lump = Duration.seconds(1)

        init(_ attempt: Attempt, _ now: MonotonicInstant) {
            self.attempt = attempt
            began = now
            since = now
        }

        /// How long the connection has delivered audio.
        package var delivered: Duration { liveSince.map { since - $0 } ?? .zero }

        /// Whether the connection was a hedge. A promoted hedge that hangs gets no hedge of its own, because otherwise
        /// one hedge could follow another without end.
        var wasHedge: Bool { promotedAt != nil }

        /// The time since which a live connection counts as silent: a promoted hedge gets the full time of a first
        /// connection.
        var silentSince: MonotonicInstant { max(since, promotedAt ?? since) }

        /// The time since which no audio has arrived: the time of the last frame, or the beginning of the try.
        var quietSince: MonotonicInstant { step == .live ? since : began }

        /// Whether all audio since the last pause arrived at once, as a burst or a lump.
        var hasSentLump: Bool { (silences.lumpAt ?? liveSince).map { since - $0 < Self.lump } ?? false }

        /// Whether the connection kept the programme going until it ended or fell silent: it brought new audio, and as
        /// much of it as would play for half of its time.
        func keptGoing(_ now: MonotonicInstant) -> Bool {
            guard let newAudio, newAudio >= Backoff.quickDelay else { return false }
            return newAudio * 2 >= now - began
        }

        /// Whether the connection has delivered at most its burst.
        var hasOnlyBurst: Bool { delivered < Self.lump }

        /// Returns the connection in the role of the first connection, promoted at `now`.
        func promoted(_ now: MonotonicInstant) -> Connection {
            var connection = self
            connection.promotedAt = now
            connection.isReturn = false
            return connection
        }

        /// Advances to `step`, and ignores a step already passed. Steps in between may be left out (a numeric address,
        /// no TLS).
        mutating func reach(_ step: Step, _ now: MonotonicInstant) {
            guard step > self.step else { return }
            self.step = step
            since = now
            if step == .live { liveSince = now }
        }

        mutating func accepted(leadsElsewhere: Bool, _ now: MonotonicInstant) {
            guard step < .live else { return }
            self.leadsElsewhere = leadsElsewhere
            silences.begin(now)
            reach(.awaitingFirstByte, now)
        }

        /// Restarts the try at another address.
        mutating func redirected(_ now: MonotonicInstant) {
            guard step == .awaitingHead || step == .probing else { return }
            step = .resolving
            since = now
        }

        /// Counts audio of the connection that was new.
        mutating func deliveredNew(_ audio: Duration) { newAudio = (newAudio ?? .zero) + audio }

        /// Ends the current silence, because frames have arrived; returns true if they are the connection's first.
        /// `hedge` is the hedge beside this connection, if this is the first connection.
        mutating func heard(_ now: MonotonicInstant, beside hedge: Connection? = nil) -> Bool {
            silences.heard(now, beside: hedge?.silences)
            defer { since = max(since, now) }
            guard step < .live else { return false }
            reach(.live, now)
            return true
        }

        /// Subtracts `time`, for which the connection is not to blame, from the time since the last progress.
        mutating func forgive(_ time: Duration, _ now: MonotonicInstant) {
            let shift = min(time, max(.zero, now - since))
            since = since + shift
            began = began + shift
            liveSince = liveSince.map { $0 + shift }
            silences.forgive(shift)
            promotedAt = promotedAt.map { $0 + shift }
        }

        mutating func renew(_ now: MonotonicInstant) { since = now }
    }
}
