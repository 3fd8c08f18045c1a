// SPDX-License-Identifier: MIT

import RadioCore
import Stations
import Testing

@testable import Engine

/// Watches the hubs of a registry while programmes come and go: the current run of each programme, and the frame that
/// it has reached.
final class HubWatch {
    /// A place in a programme: its run, counted from 1, the number of frames in that run so far, and the last frame.
    struct Place: Hashable {
        var run: Int
        var frames: Int64 = 0
        var last: [UInt8]?
    }

    private let registry: Registry
    private var runs: [ProgrammeID: (number: Int, hub: Hub)] = [:]
    private var all: [Hub] = []

    private struct Hub {
        weak var hub: StreamHub?
    }

    init(_ registry: Registry) { self.registry = registry }

    /// How many of all hubs so far still exist.
    var living: Int { all.count { $0.hub != nil } }

    /// The present place of a programme. If the programme does not run, this is the beginning of its next run.
    func place(of programme: ProgrammeID) -> Place {
        guard let hub = registry.hub(of: programme) else {
            return Place(run: (runs[programme]?.number ?? 0) + 1)
        }
        return Place(run: run(of: programme, hub), frames: hub.position.frames, last: hub.ring.lastFrames(1).first)
    }

    /// Begins a run if a programme has begun to run.
    func look(at programme: ProgrammeID) {
        if let hub = registry.hub(of: programme) { _ = run(of: programme, hub) }
    }

    private func run(of programme: ProgrammeID, _ hub: StreamHub) -> Int {
        if let known = runs[programme], known.hub.hub === hub { return known.number }
        let number = (runs[programme]?.number ?? 0) + 1
        runs[programme] = (number, Hub(hub: hub))
        all.append(Hub(hub: hub))
        return number
    }
}
