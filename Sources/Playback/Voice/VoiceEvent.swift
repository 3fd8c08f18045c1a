// SPDX-License-Identifier: MIT

package import Decoding
package import Instants
package import RadioCore
package import SoundOutput

/// What a voice is told, besides the frames in its pipe.
package enum VoiceCommand: Sendable {
    /// Be heard, now or at an instant.
    case sound(at: MonotonicInstant?)
    /// Fade out, and keep what has not been heard.
    case hush
    /// Fade out, and be done.
    case close
    /// Play faster than the audio's own rate by so many parts per million.
    case rate(Double)
    case volume(Double)
    case mute(Bool)
    case title(String)
}

/// What a voice tells.
package enum VoiceEvent: Sendable {
    case report(VoiceReport)
    /// The audio behind a mark begins to be heard.
    case passed(Int64)
    case output(SoundEvent)
    /// All frames that were handed over have been decoded.
    case hungry
    /// Nothing is left to be heard, and nothing is at hand.
    case starved
    /// The sound has faded after ``VoiceCommand/close``.
    case silent
    /// The frames of a source cannot be decoded.
    case failed(DecodingError, source: Int)
}

/// What a voice tells, and of which of the frames that it was given.
package struct VoiceNews: Sendable {
    package var event: VoiceEvent
    /// Counts the restarts of the pipe: what was told before the last one is of another place.
    package var generation: Int

    /// Whether it speaks of the frames in the pipe, and not of the output as such.
    var isOfFrames: Bool {
        switch event {
        case .report, .passed, .hungry, .starved, .failed, .output(.drained): true
        case .silent, .output: false
        }
    }
}

/// How far a voice has come.
package struct VoiceReport: Hashable, Sendable {
    /// How far into the programme, as its frames were handed over.
    package var heard: Duration
    /// The number of the frame that is being heard.
    package var frame: Int64
    /// What is heard just now; nil unless it is measured.
    package var loudness: Loudness?
    /// Samples a second of what is heard.
    package var format: PCMFormat?
    /// Frames that could not be decoded so far.
    package var damagedFrames: Int

    package init(
        heard: Duration, frame: Int64, loudness: Loudness? = nil, format: PCMFormat? = nil, damagedFrames: Int = 0
    ) {
        self.heard = heard
        self.frame = frame
        self.loudness = loudness
        self.format = format
        self.damagedFrames = damagedFrames
    }
}
