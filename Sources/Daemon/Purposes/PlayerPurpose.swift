// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Playback

extension UseKey.Kind {
    package static let player = Self("player", rank: 3)
}

/// Plays a station on this machine. Reports that it has no sound, or has it again.
final class PlayerPurpose: Purpose, Addition {
    private let context: DaemonContext
    /// The watch on each player that has reported its status. While the configuration changes, there may be two
    /// players.
    private var sounds: [UseID: SoundWatch] = [:]

    init(_ context: DaemonContext) { self.context = context }

    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration) {
        guard let player = settings.configuration.player else { return }
        for station in settings.configuration.stations where station.id == player.station {
            plan.add(UseKey(station.id, .player), PlayerPlan(device: player.device, volume: player.volume))
        }
    }

    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {
        guard case .player(.status(let status)) = notice else { return }
        switch sounds[use, default: SoundWatch()].note(status) {
        case .lost(let failure): context.tell(.soundLost(key.station, failure))
        case .back: context.tell(.soundBack(key.station))
        case nil: break
        }
    }

    func ended(_ use: UseID, _ outcome: (any UseOutcome)?) { sounds[use] = nil }
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
