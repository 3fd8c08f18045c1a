// SPDX-License-Identifier: MIT

package import RadioCore
package import Relay

/// How to serve a programme.
package struct MountSpec: Sendable {
    /// The URL path; begins with a slash.
    package var path: String
    package var settings = MountSettings()
    /// The programme that listeners receive while the mount's own programme is down; nil for silence.
    package var fallback: ProgrammeID?
    /// How long an on-demand programme keeps running without listeners; nil for half a minute.
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

/// The state of a mount.
package struct MountProgress: UseSnapshot, Hashable {
    /// The time since the mount began.
    package var elapsed: Duration
    package var listeners: Int
    package var title: String?
    /// Whether there is audio for listeners.
    package var isOnAir: Bool
    /// The number of listeners that have joined.
    package var joins = 0
    /// How often listeners were too slow and therefore skipped audio.
    package var skips = 0
    /// Bytes accepted by the sockets of all listeners.
    package var bytes: Int64 = 0
}

/// How a mount ended.
package struct MountOutcome: UseOutcome {
    /// Nil if the mount could not begin.
    package var mount: MountSnapshot?
    /// The listeners at the end.
    package var listeners: [ListenerSnapshot] = []
    /// How long the mount existed.
    package var elapsed = Duration.zero
    /// Connections to the station opened after the first one had delivered audio.
    package var reconnects = 0
    /// Connections opened beside a connection that had stalled or brought no audio.
    package var hedges = 0
    /// Why the mount did not end as the user wanted; nil if it did.
    package var failure: Failure?
    /// Whether the failure concerns only the mount, and other uses of its programme continue.
    package var isOwnFailure: Bool

    package init(failure: Failure? = nil, isOwn: Bool = false) {
        self.failure = failure
        isOwnFailure = isOwn
    }
}
