// SPDX-License-Identifier: MIT

package import Decoding
package import Instants
package import RadioCore
package import SoundOutput

/// A command to a voice.
package enum VoiceCommand: Sendable {
    /// Play, now or from an instant on.
    case sound(at: MonotonicInstant?)
    /// Fade out, and keep the audio not yet heard.
    case hush
    /// Fade out, and end.
    case close
    /// Play faster than the audio's own rate by this many parts per million.
    case rate(Double)
    case volume(Double)
    case mute(Bool)
    case title(String)
}

/// An event that a voice reports.
package enum VoiceEvent: Sendable {
    case report(VoiceReport)
    /// The audio after a cue begins to be heard.
    case passed(Int64)
    case output(SoundEvent)
    /// The voice has decoded all that it can, and may need more frames.
    case hungry
    /// All audio has been heard, and no more is available.
    case starved
    /// The sound has faded after ``VoiceCommand/close``.
    case silent
    /// The frames of a source cannot be decoded.
    case failed(DecodingError, source: Int)
}

/// An event of a voice, and the generation of frames that it is about.
package struct VoiceNotice: Sendable {
    package var event: VoiceEvent
    /// The ``FramePipe/generation`` of the frames; an older generation is from before a jump.
    package var generation: Int

    /// Whether the event is about frames of the pipe, and not about the output itself.
    var isOfFrames: Bool {
        switch event {
        case .report, .passed, .hungry, .starved, .failed, .output(.drained): true
        case .silent, .output: false
        }
    }
}

/// A voice's progress.
package struct VoiceReport: Hashable, Sendable {
    /// The place on the player's timeline that is being heard.
    package var heard: Duration
    /// The number of the frame being heard.
    package var frame: Int64
    /// The loudness of the audio being heard; nil unless it is measured.
    package var loudness: Loudness?
    /// The PCM format of the audio being heard.
    package var format: PCMFormat?
    /// How many frames could not be decoded so far.
    package var damagedFrames: Int
}
