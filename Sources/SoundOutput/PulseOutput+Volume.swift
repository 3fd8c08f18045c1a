// SPDX-License-Identifier: MIT

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
        if self.volume != nil { self.volume = volume }
        if self.isMuted != nil { self.isMuted = isMuted }
        tell(.volume(volume, isMuted: isMuted))
    }
}
