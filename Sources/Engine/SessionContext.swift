// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Storage

/// What every session on the loop shares. Confined to the loop's thread.
struct SessionContext {
    let reactor: any Reactor
    let client: CurlClient
    let writer: WriterThread
    let recorders: RecorderRegistry
    /// Hands a writer's report to its recorder on the loop's thread; any thread.
    let deliver: @Sendable (Int, WriterReport) -> Void
    /// How long a recording waits for a disk that takes nothing any more.
    let diskPatience: Duration
}
