// SPDX-License-Identifier: MIT

import Decoding
import EventLoop
import Playback
import RadioCore
import SoundOutput

extension Player {
    /// A player that is heard by the sound server of this machine.
    convenience init(_ spec: PlaySpec, reactor: any Reactor) throws(Failure) {
        let output = PulseSettings(spec)
        let measuresLoudness = spec.settings.measuresLoudness
        try self.init(spec.settings, reactor: reactor) { player throws(Failure) in
            try SoundThread(
                measuresLoudness: measuresLoudness, makeOutput: { PulseOutput(output) },
                makeDecoder: { format throws(DecodingError) in try Decoders.make(for: format) },
                tell: { event in player.tell { $0.heard(event) } })
        }
    }
}

extension PulseSettings {
    fileprivate init(_ spec: PlaySpec) {
        self.init()
        server = spec.server
        device = spec.settings.device
        volume = spec.settings.volume
    }
}
