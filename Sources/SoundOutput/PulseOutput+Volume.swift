// SPDX-License-Identifier: MIT

import Instants
import RadioCore

// The volume is the server's, which remembers it: what is set goes there, and what anybody sets there is told.
extension PulseOutput {
    /// Sets what is not nil.
    func applyVolume(_ volume: Double?, isMuted: Bool?) {
        guard let connection, let playing, let wish, playing.isReady else { return }
        let index = playing.stream.index
        if let volume { connection.setVolume(volume, of: index, channels: wish.format.channels) }
        if let isMuted { connection.setMuted(isMuted, of: index) }
    }

    /// Takes over what the server says.
    func mirror(_ volume: Double, _ isMuted: Bool, of playing: PulsePlaying) {
        if let told = playing.told, told == (volume, isMuted) { return }
        playing.told = (volume, isMuted)
        if mixing.volume != nil { mixing.volume = volume }
        if mixing.isMuted != nil { mixing.isMuted = isMuted }
        tell(.volume(volume, isMuted: isMuted))
    }

    /// What was set while the stream was being made is not in it yet.
    func catchUp(_ playing: PulsePlaying, at now: MonotonicInstant) {
        if mixing.title != playing.mixing.title { playing.setTitle(mixing.title, at: now) }
        applyVolume(
            mixing.volume == playing.mixing.volume ? nil : mixing.volume,
            isMuted: mixing.isMuted == playing.mixing.isMuted ? nil : mixing.isMuted)
    }
}
