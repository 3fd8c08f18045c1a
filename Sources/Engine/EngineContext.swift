// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
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
