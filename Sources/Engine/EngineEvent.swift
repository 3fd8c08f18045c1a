// SPDX-License-Identifier: MIT

package import HTTPServer
package import Playback
package import RadioCore
package import Recorder
package import Relay
package import Stations
package import Storage

/// An event of the engine. Events arrive in order.
package enum EngineEvent: Sendable {
    /// The addresses being listened on, with their actual ports, and the errors of the other addresses. If a service
    /// that needs all of its addresses has an error, it listens on none of them, and mounts end with the first failure.
    case listening([SocketAddress], failed: [ListenError])
    /// A notice of the HTTP service.
    case service(ServiceNotice)
    /// A file that an earlier run had left behind.
    case recovered(RecoveredFile)
    /// A bundle is finished: by a recording, or by the recovery of what an earlier run had left.
    case finished(FinishedBundle)
    /// The search requested by ``EngineCommand/recover(folder:depth:)`` is over, whether or not every file could be
    /// completed.
    case recoveryEnded
    /// A notice from a programme.
    case programme(ProgrammeID, StationNotice)
    /// A notice from a use.
    case use(UseID, UseNotice)
    /// A use was not begun because its ID is taken.
    case refused(UseID, Failure)
    /// The last event of a use.
    case ended(UseID, any UseOutcome)
    /// The state of everything that runs, at the requested interval.
    case snapshot(EngineSnapshot)
    /// The last use has ended.
    case idle
}

/// A notice from a use.
package enum UseNotice: Sendable {
    case recorder(RecorderNotice)
    /// A notice about the programs that are run for a recording's finished files.
    case exec(FileProgramNotice)
    /// A mount needs its programme because somebody wants to listen, or no longer needs it.
    case wanted(Bool)
    /// A notice from a mount's fallback.
    case fallback(Fallback.Notice)
    case player(PlayerEvent)
    case queue(QueueNotice)
    /// A notice from the connection of a queue's item.
    case programme(StationNotice, of: SourceKind)
    /// An on-demand programme has failed. The next attempt is made when somebody wants to listen.
    case failed(Failure)
    /// A notice of a kind of use that the engine does not know.
    case other(any UseReport)
}

/// A notice of a kind of use that the engine does not know. `Words` has its sentence (`Worded`).
package protocol UseReport: Sendable {}

/// The state of everything that runs.
package struct EngineSnapshot: Sendable {
    package var programmes: [ProgrammeID: ProgrammeSnapshot] = [:]
    package var uses: [UseID: any UseSnapshot] = [:]
    /// Nil before anything is recorded.
    package var writer: WriterFigures?
}

/// The state of a programme.
package struct ProgrammeSnapshot: Sendable {
    /// Nil while the programme does not run.
    package var station: StationSnapshot?
    /// Connections opened after the first one had delivered audio, over all runs.
    package var reconnects = 0
    /// Connections opened beside a connection that had stalled or brought no audio, over all runs.
    package var hedges = 0

    package init(station: StationSnapshot? = nil, reconnects: Int = 0, hedges: Int = 0) {
        self.station = station
        self.reconnects = reconnects
        self.hedges = hedges
    }
}
