// SPDX-License-Identifier: MIT

package import HTTPServer
package import Playback
package import RadioCore
package import Recorder
package import Relay
package import Stations

/// What the engine tells: values only, in order.
package enum EngineEvent: Sendable {
    /// It listens, with the ports that it got.
    case listening([SocketAddress])
    /// It cannot listen. Mounts end with the same failure.
    case notListening(Failure)
    /// What happens to a programme.
    case programme(ProgrammeID, StationNotice)
    /// What happens to a use.
    case use(UseID, UseNotice)
    /// A use was not begun, because there is one of this name.
    case refused(UseID, Failure)
    /// The last event of a use.
    case ended(UseID, any UseOutcome)
    /// How everything stands, as often as was asked for.
    case snapshot(EngineSnapshot)
    /// The last use has ended.
    case idle
}

/// What happens to a use.
package enum UseNotice: Sendable {
    case recorder(RecorderNotice)
    /// A mount's programme is needed because somebody wants to listen, or is needed no more.
    case wanted(Bool)
    /// What became of a mount's fallback.
    case fallback(Fallback.Notice)
    case player(PlayerEvent)
    case queue(QueueNotice)
    /// What happens to the connection of a queue's item.
    case programme(StationNotice)
    /// A programme that runs on demand has ended by itself, and is tried again when somebody asks.
    case failed(Failure)
}

/// Everything that runs, at a glance.
package struct EngineSnapshot: Sendable {
    package var programmes: [ProgrammeID: ProgrammeSnapshot] = [:]
    package var uses: [UseID: any UseSnapshot] = [:]
}

/// A programme at a glance.
package struct ProgrammeSnapshot: Sendable {
    /// Nil while it does not run.
    package var station: StationSnapshot?
    /// Connections that were opened after the first one had delivered audio, in all of its runs.
    package var reconnects = 0
    /// Connections that were opened beside a connection that had gone silent, in all of its runs.
    package var hedges = 0

    package init(station: StationSnapshot? = nil, reconnects: Int = 0, hedges: Int = 0) {
        self.station = station
        self.reconnects = reconnects
        self.hedges = hedges
    }
}
