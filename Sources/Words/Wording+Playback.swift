// SPDX-License-Identifier: MIT

package import Playback
package import RadioCore

// Messages about sound.
extension Wording {
    /// Nil if the live line suffices.
    package static func line(_ event: PlayerEvent) -> String? {
        switch event {
        case .title, .status: nil
        case .moved(let device): "sound moved to \(device)"
        case .begins(_, let time): "begins in \(Measure.span(time))"
        case .buffering(let cause, let isFirst):
            (isFirst ? "filling the buffer before playback: " : "waiting for audio: ") + words(cause)
        case .remaining(let length): "playing the remaining audio: \(Measure.length(length))"
        }
    }

    /// Reports that a loss of sound is over.
    package static let isSoundBack = "there is sound again"

    private static func words(_ cause: RebufferCause) -> String {
        switch cause {
        case .slow: "audio arrives more slowly than it plays"
        case .stalled: "no audio is arriving"
        case .growing: "the file may still be being written"
        case .reconnecting: "the connection was lost; reconnecting"
        case .outputLost: "the sound server is unavailable"
        }
    }

    /// The player's state in a few words. `kind`: what it plays.
    package static func state(_ status: PlaybackStatus, of kind: SourceKind = .live) -> String {
        switch status.state {
        case .idle: "ready"
        case .opening: status.error == nil ? "opening" : "waiting for a sound server"
        case .prebuffering: "filling the buffer"
        case .playing: "playing"
        case .rebuffering(.slow), .rebuffering(.growing): "buffering"
        case .rebuffering(.stalled): "buffering" + (kind == .live ? ": the station stopped sending audio" : "")
        case .rebuffering(.reconnecting): "buffering: reconnecting"
        case .rebuffering(.outputLost): "waiting for the sound server"
        case .paused: status.isHeld ? "paused by the sound server" : "paused"
        case .draining: "finishing"
        case .stopping: "stopping"
        case .stopped: "stopped"
        }
    }

    /// A summary of what was played.
    package static func summary(_ player: PlayerSnapshot) -> String {
        guard player.heard > .zero else { return "nothing was played" }
        var notes: [String] = []
        if player.underruns > 0 { notes.append("with " + Measure.count(player.underruns, "break")) }
        if player.skipped >= .seconds(1) {
            notes.append("without \(Measure.span(player.skipped)) that were not kept during a pause")
        }
        let breaks = notes.isEmpty ? "without a break" : notes.joined(separator: ", ")
        return "played \(Measure.clock(player.heard + .milliseconds(500))) \(breaks)"
    }
}
