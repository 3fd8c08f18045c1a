// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import HTTPServer
import RadioCore
import Relay
import Stations
import Storage

/// What programmes and uses share. Confined to the loop's thread.
struct EngineContext {
    let reactor: any Reactor
    /// The one way out to the network, made when it is first needed.
    let client: () -> any HTTPClient
    let group: StationGroup
    /// The queue of the one writer thread, which starts when it is first needed.
    let writerQueue: () throws(StorageError) -> WriterQueue
    /// How long a recording waits for a disk that takes nothing any more.
    let diskPatience: Duration
}

/// What a use is made with. Confined to the loop's thread.
package struct UseContext {
    /// The programme that it is a use of.
    let host: ProgrammeHost
    /// What the engine's programmes and uses share.
    let engine: EngineContext
    /// The one HTTP service; throws where there is none.
    let service: () throws(Failure) -> HTTPService
    /// By which other relays know this process.
    let relayID: RelayID
    /// Another programme that was added; nil where there is none of this name.
    let programme: (ProgrammeID) -> ProgrammeHost?
    /// What recordings that share their time begin with.
    let sharedStart: () -> TimeStart
    /// What happens to the use.
    let tell: (UseNotice) -> Void
    /// The last thing that a use says.
    let onEnd: (any UseOutcome) -> Void

    var reactor: any Reactor { engine.reactor }
}
