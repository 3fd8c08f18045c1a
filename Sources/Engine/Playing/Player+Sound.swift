// SPDX-License-Identifier: MIT

import Decoding
package import EventLoop
package import Playback
package import RadioCore
import SoundOutput

extension Player {
    /// Makes a player with the sound output that the spec names.
    package convenience init(_ spec: PlaySpec, reactor: any Reactor) throws(Failure) {
        let measuresLoudness = spec.settings.measuresLoudness
        var settings = spec.settings
        // A level meter plays no sound that could be interrupted, so it can tolerate audio that arrives late.
        if spec.output == .none { settings.tolerance = .seconds(5) / 6 }
        try self.init(settings, reactor: reactor) { player throws(Failure) in
            try SoundThread(
                measuresLoudness: measuresLoudness, makeOutput: { spec.makeOutput() },
                makeDecoder: { format throws(DecodingError) in try Decoders.make(for: format) },
                tell: { event in player.tell { $0.heard(event) } })
        }
    }
}

extension PlaySpec {
    fileprivate func makeOutput() -> any SoundOutput {
        guard case .server(let server) = output else { return SilentOutput() }
        var pulse = PulseSettings()
        pulse.server = server
        pulse.device = settings.device
        pulse.volume = settings.volume
        return PulseOutput(pulse)
    }
}
