// SPDX-License-Identifier: MIT

package import RadioCore
package import Relay

/// How a programme is to be re-served.
package struct MountSpec: Sendable {
    /// It begins with a slash.
    package var path: String
    package var settings = MountSettings()
    /// The programme that players hear while the mount's own is away; with nil they hear silence.
    package var fallback: ProgrammeID?
    /// For how long a programme on demand runs on when nobody listens any more; nil for half a minute.
    package var linger: Duration?

    package init(path: String) {
        self.path = path
    }
}

extension MountSpec: UseSpec {
    package var otherProgrammes: [ProgrammeID] { [fallback].compactMap(\.self) }
    package func makeUse(_ context: UseContext) throws(Failure) -> any Use { try MountUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { MountOutcome(failure: failure, isOwn: true) }
}

/// A mount at a glance.
package struct MountProgress: UseSnapshot, Hashable {
    /// Since it began.
    package var elapsed: Duration
    package var listeners: Int
    package var title: String?
    /// Whether there is audio for listeners.
    package var isOnAir: Bool

    package init(elapsed: Duration, listeners: Int, title: String?, isOnAir: Bool) {
        self.elapsed = elapsed
        self.listeners = listeners
        self.title = title
        self.isOnAir = isOnAir
    }
}

/// How a mount ended.
package struct MountOutcome: UseOutcome {
    /// Nil where it could not even begin.
    package var mount: MountSnapshot?
    /// Who listened at the end.
    package var listeners: [ListenerSnapshot] = []
    /// For how long it was there.
    package var elapsed = Duration.zero
    /// Connections to the station that were opened after the first one had delivered audio.
    package var reconnects = 0
    /// Connections that were opened beside a connection that had gone silent.
    package var hedges = 0
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?
    /// Whether that is about the mount alone, and other uses of its programme go on.
    package var isOwnFailure: Bool

    package init(failure: Failure? = nil, isOwn: Bool = false) {
        self.failure = failure
        isOwnFailure = isOwn
    }
}
