// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import HTTPServer
import RadioCore
import Relay
package import Stations
import Storage

/// What all programmes and uses share.
package struct EngineContext {
    package let reactor: any Reactor
    /// Returns the single HTTP client, which is created on first use.
    package let client: () -> any HTTPClient
    package let group: StationGroup
    /// Returns the queue of the single writer thread, which is started on first use.
    let writerQueue: () throws(StorageError) -> WriterQueue
    let taps = SoundTaps()
    /// Heals the files of all recordings.
    var healing = HealingThread()
}

/// What a use needs.
package struct UseContext {
    /// The programme being used.
    let host: ProgrammeHost
    /// What the engine's programmes and uses share.
    package let engine: EngineContext
    /// Returns the HTTP service; throws if there is none.
    let service: () throws(Failure) -> HTTPService
    /// The ID by which other relays recognise this process.
    let relayID: RelayID
    /// Another programme by its ID; nil if it has not been added.
    let programme: (ProgrammeID) -> ProgrammeHost?
    /// Returns the common start of recordings that share their time.
    let sharedStart: () -> TimeStart
    /// Makes the runner of a program, which runs for each finished file of this use.
    let programs: (FileProgram) -> FilePrograms
    /// Tells of a finished bundle; see ``Registry/finished(_:to:)``.
    let finished: (FinishedBundle, FilePrograms?) -> Void
    /// Reports a notice of the use.
    package let tell: (UseNotice) -> Void
    /// Reports the outcome of the use, as its last event.
    package let onEnd: (any UseOutcome) -> Void

    package var reactor: any Reactor { engine.reactor }
}
