// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Stations
import Storage

/// What every session on the loop shares. Confined to the loop's thread.
struct SessionContext {
    let reactor: any Reactor
    let client: CurlClient
    let group: StationGroup
    let writer: WriterThread
    /// How long a recording waits for a disk that takes nothing any more.
    let diskPatience: Duration
}
