// SPDX-License-Identifier: MIT

package import Instants
import RadioCore
package import TestTools

/// A daemon whose books are kept through troubles: in virtual time, or the real program.
package protocol TroubledDaemon: AnyObject {
    /// Has the folders `recordings` and `state`.
    var folder: TemporaryFolder { get }
    var now: WallInstant { get }
    /// Applies a configuration that gives all files other names. `round`: differs at each call.
    func edit(round: Int) throws
    /// Has the catalog compare itself with the folder.
    func rescan() throws
    /// Stops the daemon as SIGTERM does, and lets time pass in which none runs.
    func stop(for time: Duration) throws
    /// Stops as by SIGKILL. Time passes, in which no daemon runs.
    func kill(for time: Duration) throws
    func start() throws
}

extension TroubledDaemon {
    /// Suffers a trouble that has struck the folder. Returns when no daemon ran; nil if it has run all the time.
    package func suffer(
        _ trouble: BooksTrouble, _ round: Int, using random: inout SplitMix64
    ) throws -> Range<WallInstant>? {
        let start = now
        switch trouble {
        case .edit:
            try edit(round: round)
            return nil
        case .lostSidecar, .renamedAudio, .renamedFile, .copiedFile:
            try rescan()
            return nil
        case .lostRunningCatalog:
            BooksTrouble.deleteCatalog(folder)
            return nil
        case .restart, .lostCatalog:
            try stop(for: .seconds(Int.random(in: 1...4, using: &random)))
            if trouble == .lostCatalog { BooksTrouble.deleteCatalog(folder) }
        case .kill, .lostGrowingSidecar: try kill(for: .seconds(Double.random(in: 0...3, using: &random)))
        case .longKill: try kill(for: .seconds(Double.random(in: 5...30, using: &random)))
        }
        try self.start()
        return start..<now
    }
}

extension LiveScript {
    /// A station that is away from time to time until `end`, in seconds.
    package static func troubled(
        _ programme: Broadcast, until end: Double, using random: inout SplitMix64
    ) -> LiveScript {
        var script = LiveScript(.stream(LiveStream(programme, burst: 16_000)))
        var time = Double.random(in: 20...60, using: &random)
        while time < end {
            let length = Double.random(in: 1...20, using: &random)
            script.absences.append(.init(.seconds(time), for: .seconds(length), .gone))
            time += length + Double.random(in: 40...120, using: &random)
        }
        return script
    }

    /// When the station is away, if its script starts at `start`.
    package func away(from start: WallInstant) -> [Range<WallInstant>] {
        absences.map { start + $0.from..<start + $0.to }
    }
}
