// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import Stations
import WallClock
import Words

/// Probes a station and prints events meanwhile; shared by `probe` and `add`.
enum StationProbing {
    static func probe(_ settings: StationSettings, _ console: inout Console) throws -> ProbeResult {
        var said: Failure?
        let runner = try EngineRunner()
        defer { runner.close() }
        let id = ProgrammeID("station")
        runner.begin(
            [.add(id, .station(settings)), .begin(UseID("probe"), ProbeSpec(), of: id)], tellsSnapshots: false)
        while true {
            guard case .engine(let event) = runner.next() else { continue }
            switch event {
            case .programme(_, let notice):
                switch notice {
                case .followedPlaylist: break
                case .failed(let failure, _) where failure != said: said = failure
                default: continue
                }
                Wording.line(notice, now: WallClock.now(), setting: \.option).map { console.say($0) }
            case .ended(_, let result as ProbeResult): return result
            default: break
            }
        }
    }
}
