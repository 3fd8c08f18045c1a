// SPDX-License-Identifier: MIT

import EventLoop
import TestSupport

/// A thread beside the loop that does nothing but look at the clock. A virtual machine may be stopped for a tenth of a
/// second, which nothing inside can tell from a loop that stands still, but that this thread stood still as well.
///
/// Sound although not Sendable by itself. Proof: the heartbeat is used on the thread's own loop only.
final class Witness: @unchecked Sendable {
    private let loop: EventLoop
    private var heartbeat: Heartbeat?

    /// Begins.
    init() throws {
        loop = try EventLoop(name: "witness")
        try loop.start()
        loop.post { [self] in heartbeat = Heartbeat(loop.reactor) }
    }

    /// Ends: the pauses so far. From any other thread.
    func end() -> [Heartbeat.Pause] {
        let pauses = Watched<[Heartbeat.Pause]?>(nil)
        loop.post { [self] in
            let found = heartbeat?.pauses ?? []
            pauses.change { $0 = found }
            heartbeat = nil
        }
        defer { loop.shutdown() }
        return pauses.wait(within: .seconds(10)) { $0 } ?? []
    }
}
