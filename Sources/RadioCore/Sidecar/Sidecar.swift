// SPDX-License-Identifier: MIT

package import RadioFormats

/// What is known of one recorded file beyond its audio: the JSON next to it.
///
/// A value; ``json`` and ``init(json:)`` are inverses of each other, in milliseconds. Positions count frames from the
/// beginning of the file.
package struct Sidecar: Hashable, Sendable {
    /// How far the file has come.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Being written; the figures are those of the last minute.
        case growing
        case complete
        /// Completed by a later start, after the process or the machine had died.
        case interrupted
    }

    /// Lost audio.
    package struct Gap: Hashable, Sendable {
        package var at: CivilTime
        /// Nil where it cannot be known.
        package var milliseconds: Int64?
        package var cause: String
        package var tried: [String]
        package var position: Int64
        /// The error class of the cause and what is to be done, where something failed.
        package var failureClass: String?
        package var remedy: String?
        /// How many milliseconds of the audio after the gap were on air before the audio stopped, and may be there
        /// twice.
        package var overlap: Int64?
        /// How many milliseconds before the gap the audio after it was recorded already: the station repeats itself.
        package var repeats: Int64?
        /// Frames of another encoder that were left out because of the time at which they were on air.
        package var trimmedFrames: Int64?

        package init(at: CivilTime, milliseconds: Int64?, cause: String, tried: [String], position: Int64) {
            self.at = at
            self.milliseconds = milliseconds
            self.cause = cause
            self.tried = tried
            self.position = position
        }
    }

    /// A place where a new connection was joined to the old one.
    package struct Splice: Hashable, Sendable {
        package var at: CivilTime
        /// The first frame of the new connection.
        package var position: Int64
        /// Frames that were heard before, and dropped.
        package var droppedFrames: Int64
        /// How many of the dropped frames were never heard: an advert at connect, say.
        package var unheardFrames: Int64 = 0
        /// What the joint was found by: "match", "time".
        package var by: String

        package init(at: CivilTime, position: Int64, droppedFrames: Int64, by: String) {
            self.at = at
            self.position = position
            self.droppedFrames = droppedFrames
            self.by = by
        }
    }

    /// Audio that is in the file, and can be left out.
    package struct Stretch: Hashable, Sendable {
        package var at: CivilTime
        package var milliseconds: Int64
        package var position: Int64
        package var frames: Int64

        package init(at: CivilTime, milliseconds: Int64, position: Int64, frames: Int64) {
            self.at = at
            self.milliseconds = milliseconds
            self.position = position
            self.frames = frames
        }
    }

    package struct Title: Hashable, Sendable {
        package var at: CivilTime
        package var position: Int64
        package var text: String

        package init(at: CivilTime, position: Int64, text: String) {
            self.at = at
            self.position = position
            self.text = text
        }
    }

    /// Names the recording that the file is a segment of.
    package var recording: String?
    /// Counts the segments of a recording from 1.
    package var number: Int?
    /// Why the file begins where it does, instead of the one before going on.
    package var began: CutCause?
    /// File names of the neighbours in the same recording, relative to this file's folder.
    package var previous: String?
    package var next: String?
    package var station: String?
    /// Without header packets.
    package var format: StreamFormat
    /// The air time of the first frame; nil where nobody knows it.
    package var at: CivilTime?
    package var frames: Int64
    /// Bytes of frames, without tags.
    package var bytes: Int64
    package var samples: Int64
    /// How much faster the station's clock was than ours, in parts per million; nil where that is not known.
    package var clockDrift: Double?
    package var gaps: [Gap] = []
    package var splices: [Splice] = []
    /// Audio that is not the programme's, such as an advert at connect.
    package var foreign: [Stretch] = []
    /// Audio that the recording holds twice; this is the second copy.
    package var repeated: [Stretch] = []
    package var titles: [Title] = []
    package var state: State
    /// Whether the sidecar stays when the file is complete. Otherwise it is there only to mark the file as ours while
    /// it grows.
    package var isKept = true
    /// Segments by title: whether the song was heard from its beginning to its end; otherwise nil.
    package var hasWholeSong: Bool?

    package init(format: StreamFormat, at: CivilTime?, frames: Int64, bytes: Int64, samples: Int64, state: State) {
        self.format = format
        self.at = at
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
        self.state = state
    }

    /// Which program writes it.
    package static let software = "aircheck"
    /// Changes when a reader of older sidecars would misunderstand newer ones.
    package static let version: Int64 = 1
}
