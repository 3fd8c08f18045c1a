// SPDX-License-Identifier: MIT

package import Instants

extension ConnectionMachine {
    /// Which of a station's two connections.
    package enum Role: Hashable, Sendable, CaseIterable {
        /// The one whose frames are the station's.
        case first
        /// The one that is opened beside it when it stalls, or hangs before it has brought any audio.
        case hedge
    }

    /// One try to reach the station.
    package struct Attempt: Hashable, Sendable {
        /// Counts all tries since the start, from 1.
        package var number: Int
        /// Which of the station's URLs.
        package var mirror: Int
        /// Whether to go to where the redirects ended last time instead of the configured URL.
        package var viaLastFinalURL: Bool

        package init(number: Int, mirror: Int, viaLastFinalURL: Bool) {
            self.number = number
            self.mirror = mirror
            self.viaLastFinalURL = viaLastFinalURL
        }
    }

    /// How far a connection has come. Each has its own deadline, and its own words for when that has passed.
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
        /// Bytes come, no frame yet. → live, resolving (another path of the same server)
        case probing
        /// Frames come.
        case live
    }

    /// A connection, as far as decisions go: a value, the same for both roles.
    package struct Connection: Hashable, Sendable {
        package internal(set) var attempt: Attempt
        package private(set) var step = Step.resolving
        /// The kind of source, as far as is known: until a response tells, the kind that came last.
        package private(set) var kind: SourceKind
        /// Whether redirects led elsewhere than to the configured URL.
        package private(set) var leadsElsewhere = false
        /// When the try began.
        private(set) var began: MonotonicInstant
        /// When the step began; once live, when the last frame came.
        package private(set) var since: MonotonicInstant
        private(set) var liveSince: MonotonicInstant?
        /// When it was a hedge and took the place of the first connection.
        private(set) var promotedAt: MonotonicInstant?
        private(set) var silences = Silences()
        /// Whether any of its frames was new.
        private(set) var hasNews = false

        /// Audio that arrives within this time is a burst or a lump.
        private static let lump = Duration.seconds(1)

        init(_ attempt: Attempt, kind: SourceKind, _ now: MonotonicInstant) {
            self.attempt = attempt
            self.kind = kind
            began = now
            since = now
        }

        /// For how long audio has come.
        package var delivered: Duration { liveSince.map { since - $0 } ?? .zero }

        /// Whether it was a hedge. A hedge that hangs as well gets no hedge of its own, or there would be no end of
        /// them.
        var wasHedge: Bool { promotedAt != nil }

        /// Since when it counts as silent, once live: a promoted hedge gets the full time of a first connection.
        var silentSince: MonotonicInstant { max(since, promotedAt ?? since) }

        /// Whether all that it has brought since its last long silence came at once: a burst, or a lump.
        var hasSentLump: Bool { (silences.brokenAt ?? liveSince).map { since - $0 < Self.lump } ?? false }

        /// Whether it has brought no more than its burst, if that.
        var hasOnlyBurst: Bool { delivered < Self.lump }

        /// The same connection, as the first one from now on.
        func promoted(_ now: MonotonicInstant) -> Connection {
            var connection = self
            connection.promotedAt = now
            return connection
        }

        /// Steps in between may go unseen (a numeric address, no TLS); none is taken back.
        mutating func reach(_ step: Step, _ now: MonotonicInstant) {
            guard step > self.step else { return }
            self.step = step
            since = now
            if step == .live { liveSince = now }
        }

        mutating func accepted(_ kind: SourceKind, leadsElsewhere: Bool, _ now: MonotonicInstant) {
            guard step < .live else { return }
            self.kind = kind
            self.leadsElsewhere = leadsElsewhere
            silences.begin(now)
            reach(.awaitingFirstByte, now)
        }

        /// The same try begins anew at another address.
        mutating func redirected(_ now: MonotonicInstant) {
            guard step == .awaitingHead || step == .probing else { return }
            step = .resolving
            since = now
        }

        /// Notes that some of its frames were new.
        mutating func broughtNews() { hasNews = true }

        /// A frame has come; true where it is the first. `hedge` is the connection beside this one, if it is the first.
        mutating func heard(_ now: MonotonicInstant, beside hedge: Connection? = nil) -> Bool {
            silences.heard(now, beside: hedge?.silences)
            defer { since = now }
            guard step < .live else { return false }
            reach(.live, now)
            return true
        }

        /// Takes `time` off the time since the last progress: it was not the connection's doing.
        mutating func forgive(_ time: Duration, _ now: MonotonicInstant) {
            let shift = min(time, max(.zero, now - since))
            since = since + shift
            began = began + shift
            liveSince = liveSince.map { $0 + shift }
            silences.forgive(shift)
            promotedAt = promotedAt.map { $0 + shift }
        }

        mutating func turnOutLive() { kind = .live }

        mutating func renew(_ now: MonotonicInstant) { since = now }
    }
}
