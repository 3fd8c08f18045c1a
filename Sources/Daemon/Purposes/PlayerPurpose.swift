// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Playback

extension UseKey.Kind {
    package static let player = Self("player", rank: 3)
}

/// Plays a station on this machine.
struct PlayerPurpose: Purpose {
    func add(to plan: inout RunningPlan, at moment: PlanMoment) {
        guard let player = moment.configuration.player else { return }
        for station in moment.configuration.stations where station.id == player.station {
            plan.add(UseKey(station.id, .player), PlayerPlan(device: player.device, volume: player.volume))
        }
    }
}

/// A player that should run.
struct PlayerPlan: UsePlan {
    var device: String?
    var volume: Int

    func spec(_ start: UseStart) -> any UseSpec {
        var settings = PlayerSettings()
        settings.device = device
        settings.volume = Double(volume) / 100
        return PlaySpec(settings: settings)
    }
}
