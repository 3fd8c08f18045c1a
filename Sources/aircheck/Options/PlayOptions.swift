// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Playback
import RadioCore
import WallClock

/// How to play a programme on this machine; shared by `play` and all commands with `--play`.
struct PlayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The sound device; 'aircheck play --list-devices' lists the devices.", valueName: "name"),
        completion: .devices)
    var device: String?

    @Option(help: .value("percent", "Volume in percent, as mixers show it. Default: what the sound server remembers"))
    var volume: Int?

    @Option(help: .value("time", "Begin at this time of day at the loudspeaker, such as 20:00 or 20:00:00.250."))
    var startAt: String?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: ["--device": device != nil, "--volume": volume != nil, "--start-at": startAt != nil])
    }

    func spec(measuresLoudness: Bool, giveUp: Duration? = nil) throws(SettingFault) -> PlaySpec {
        var settings = PlayerSettings()
        settings.device = device
        if let volume {
            guard (0...150).contains(volume) else { throw SettingFault(.volume, "it must be from 0 to 150 percent") }
            settings.volume = Double(volume) / 100
        }
        if let startAt {
            let time = try SettingField.startAt.read(startAt, TimeOfDay.init(parsing:))
            settings.start = time.next(from: WallClock.now(), in: LocalZone())
        }
        settings.giveUp = giveUp
        settings.measuresLoudness = measuresLoudness
        return PlaySpec(settings: settings)
    }
}
