// SPDX-License-Identifier: MIT

import Engine
import Platform
import RadioCore
import Stations
import Words

/// Probes a station and prints events meanwhile; shared by `probe` and `add`.
enum StationProbing {
    static func probe(_ settings: StationSettings, _ console: inout Console) throws -> ProbeResult {
        var said: Failure?
        // The caller reports a failure that ends the probe. Any other failure is printed once the probe continues.
        var failed: StationNotice?
        var waiting = ProbeWaiting(since: .read())
        let runner = try EngineRunner()
        defer { runner.close() }
        let id = ProgrammeID("station")
        runner.begin(
            [.add(id, .station(settings)), .begin(UseID("probe"), ProbeSpec(), of: id)],
            tellsSnapshots: console.detail > .needed)
        while true {
            guard case .engine(let event) = runner.next() else { continue }
            if case .ended(_, let result as ProbeResult) = event {
                console.clear()
                return result
            }
            failed.map { say($0, &console) }
            failed = nil
            switch event {
            case .programme(_, let notice):
                switch notice {
                case .followedPlaylist: say(notice, &console)
                case .failed(let failure, _) where failure != said: (said, failed) = (failure, notice)
                default: if console.detail == .full { say(notice, &console) }
                }
            case .snapshot(let snapshot):
                let activity = snapshot.programmes[id]?.station?.activity ?? .lookingUp
                console.show(waiting.live(activity, at: .read()))
                if !console.hasLiveLine, let line = waiting.line(activity, at: .read()) { console.say(line, .usual) }
            default: break
            }
        }
    }

    private static func say(_ notice: StationNotice, _ console: inout Console) {
        console.say(Wording.occurrence(notice, of: .program, in: .terminal))
    }
}
