// SPDX-License-Identifier: MIT

package import Engine
package import HTTPServer
package import Instants
package import Playback
package import RadioCore

/// What runs, as shown to people and programs.
package struct DaemonStatus: Sendable {
    package struct Station: Sendable {
        package var id: String
        /// The user's name for the station; nil if there is none.
        package var name: String?
        package var programme: ProgrammeSnapshot
        /// Nil if the station is not relayed.
        package var mount: MountProgress?
        /// The path of the mount.
        package var path: String?
        package var recordings: [Recording] = []
        /// Gaps since the daemon began.
        package var gaps = 0
        /// How much audio was missing in the gaps of the station, as far as their lengths are known.
        package var missing = Duration.zero
        package var splices = 0
        /// The newest failure of the last 24 hours, kept after the station is back; nil if there was none.
        package var failure: LastFailure?
    }

    package struct Recording: Sendable {
        package var key: UseKey
        package var id: String
        /// The name of the show; nil if the recording does not belong to a show.
        package var show: String?
        package var window: Range<WallInstant>?
        package var snapshot: RecordingSnapshot?
    }

    /// The player on this machine.
    package struct Player: Sendable {
        /// The ID of the station.
        package var station: String
        /// From 0 to 1, as configured.
        package var volume: Double
        /// Nil while the player does not run.
        package var snapshot: PlayerSnapshot?
    }

    /// A failure, and how long ago it was.
    package struct LastFailure: Hashable, Sendable {
        package var failure: Failure
        package var ago: Duration
    }

    /// In the order of the configuration.
    package var stations: [Station] = []
    /// Nil if nothing is played on this machine.
    package var player: Player?
    /// The addresses being listened on.
    package var addresses: [SocketAddress] = []
    /// Whether listeners need a password.
    package var needsPassword = false
    /// See ``ServiceSpec/ownersSocket``.
    package var ownersSocket: SocketAddress?
    package var began: WallInstant
    package var uptime: Duration
}
