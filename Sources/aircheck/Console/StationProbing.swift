// SPDX-License-Identifier: MIT

import Engine
import Instants
import Platform
import RadioCore
import Stations
import WallClock
import Words

/// Probes a station, and says meanwhile what happens; shared by `probe` and `add`.
enum StationProbing {
    static func probe(_ settings: StationSettings, _ console: inout Console) throws -> ProbeResult {
        var said: Failure?
        var waiting = ProbeWaiting(since: .read())
        let runner = try EngineRunner()
        defer { runner.close() }
        let id = ProgrammeID("station")
        runner.begin(
            [.add(id, .station(settings)), .begin(UseID("probe"), ProbeSpec(), of: id)],
            tellsSnapshots: console.detail > .needed)
        while true {
            guard case .engine(let event) = runner.next() else { continue }
            switch event {
            case .programme(_, let notice):
                switch notice {
                case .followedPlaylist: break
                case .failed(let failure, _) where failure != said: said = failure
                default: if console.detail < .full { continue }
                }
                Wording.line(notice, now: WallClock.now(), setting: \.option).map { console.say($0, Detail(notice)) }
            case .snapshot(let snapshot):
                let activity = snapshot.programmes[id]?.station?.activity ?? .lookingUp
                console.show(waiting.live(activity, at: .read()))
                if !console.hasLiveLine, let line = waiting.line(activity, at: .read()) { console.say(line, .usual) }
            case .ended(_, let result as ProbeResult):
                console.clear()
                return result
            default: break
            }
        }
    }
}
