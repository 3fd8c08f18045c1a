// SPDX-License-Identifier: MIT

import RadioCore
import Stations
import Testing

@testable import Engine

/// Looks at the hubs of a registry while programmes come and go: where each stands, in which of its programme's runs.
final class HubWatch {
    /// A place in a programme: its run, counted from 1, the number of frames that have come in it, and the last one.
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

    init(_ registry: Registry) {
        self.registry = registry
    }

    /// How many hubs there are still of all that there were.
    var living: Int { all.count { $0.hub != nil } }

    /// Where a programme stands now; at the beginning of its next run where it does not run.
    func place(of programme: ProgrammeID) -> Place {
        guard let hub = registry.hub(of: programme) else {
            return Place(run: (runs[programme]?.number ?? 0) + 1)
        }
        return Place(
            run: run(of: programme, hub), frames: hub.position.frames, last: hub.ring.lastFrames(1).first)
    }

    /// Looks whether a programme has begun to run.
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
