// SPDX-License-Identifier: MIT

import Instants
import RadioCore

// The server keeps the volume and remembers it: settings are sent to it, and changes that anybody makes there are
// reported.
extension PulseOutput {
    /// Sends the server the values that are not nil.
    func applyVolume(_ volume: Double?, isMuted: Bool?) {
        guard let connection, let playing, let wish, playing.isReady else { return }
        let index = playing.stream.index
        if let volume { connection.setVolume(volume, of: index, channels: wish.format.channels) }
        if let isMuted { connection.setMuted(isMuted, of: index) }
    }

    /// Reports the server's volume and muting. Each replaces the value that was set here, if any.
    func mirror(_ volume: Double, _ isMuted: Bool, of playing: PulsePlaying) {
        if let told = playing.told, told == (volume, isMuted) { return }
        playing.told = (volume, isMuted)
        if mixing.volume != nil { mixing.volume = volume }
        if mixing.isMuted != nil { mixing.isMuted = isMuted }
        tell(.volume(volume, isMuted: isMuted))
    }

    /// Sends the settings that have changed since the stream was requested.
    func catchUp(_ playing: PulsePlaying, at now: MonotonicInstant) {
        if mixing.title != playing.mixing.title { playing.setTitle(mixing.title, at: now) }
        applyVolume(
            mixing.volume == playing.mixing.volume ? nil : mixing.volume,
            isMuted: mixing.isMuted == playing.mixing.isMuted ? nil : mixing.isMuted)
    }
}
