// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// The description of one recorded file: the JSON next to it.
///
/// ``json`` and ``init(json:)`` are inverses of each other, to the millisecond. Positions count frames from the
/// beginning of the file.
package struct Sidecar: Hashable, Sendable {
    /// The state of the file.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The file is being written; the figures in its sidecar may be ten minutes old.
        case growing
        case complete
        /// The file was completed by a later run, after the process or the machine had died.
        case interrupted
    }

    /// Lost audio.
    package struct Gap: Hashable, Sendable {
        package var at: CivilTime
        /// How much was lost; nil if unknown.
        package var milliseconds: Int64?
        package var cause: String
        package var tried: [String]
        package var position: Int64
        /// The error class of the cause, and the remedy, if something failed.
        package var failureClass: String?
        package var remedy: String?
        /// How many milliseconds of the audio after the gap were on air before the audio stopped, and may therefore be
        /// in the file twice.
        package var overlap: Int64?
        /// If the station repeats itself: the audio after the gap was already recorded this many milliseconds before
        /// the gap.
        package var repeats: Int64?

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
        /// The number of frames that were dropped before ``position``.
        package var droppedFrames: Int64
        /// How many of the dropped frames were never delivered, such as an advert at connect.
        package var unheardFrames: Int64 = 0
        /// How the place was found: "match" or "time".
        package var by: String

        package init(at: CivilTime, position: Int64, droppedFrames: Int64, by: String) {
            self.at = at
            self.position = position
            self.droppedFrames = droppedFrames
            self.by = by
        }
    }

    /// A part of the audio in the file, of which its kind says more.
    package struct Stretch: Hashable, Sendable {
        package var at: CivilTime
        package var milliseconds: Int64
        package var position: Int64
        package var frames: Int64
        /// What says so; nil if Aircheck has found it out.
        package var by: String?

        package init(at: CivilTime, milliseconds: Int64, position: Int64, frames: Int64, by: String? = nil) {
            self.at = at
            self.milliseconds = milliseconds
            self.position = position
            self.frames = frames
            self.by = by
        }
    }

    /// This machine's clock was set while the file was recorded.
    package struct ClockStep: Hashable, Sendable {
        /// The first frame whose air time is by the clock as it was set.
        package var position: Int64
        /// How far the clock was set forward, or back if negative.
        package var milliseconds: Int64

        package init(position: Int64, milliseconds: Int64) {
            self.position = position
            self.milliseconds = milliseconds
        }
    }

    /// A broadcast of a show, as it was planned to be recorded.
    package struct Show: Hashable, Sendable {
        /// Unique within the station.
        package var id: String
        package var name: String
        /// The span of air time that was to be recorded.
        package var from: CivilTime
        package var until: CivilTime
        /// The date of the broadcast (``Airing/date``); nil in sidecars of older versions.
        package var date: CalendarDate?
        /// The start that the broadcast had when its first recording began, if a reload has moved it since.
        package var firstFrom: CivilTime?

        /// What the recordings of one broadcast have in common.
        package var broadcast: CivilTime { firstFrom ?? from }

        package init(id: String, name: String, from: CivilTime, until: CivilTime, date: CalendarDate? = nil) {
            self.id = id
            self.name = name
            self.from = from
            self.until = until
            self.date = date
        }
    }

    package struct Title: Hashable, Sendable {
        package var at: CivilTime
        package var position: Int64
        package var text: String
        /// The address that came with the title, for example of a cover, unless it is long.
        package private(set) var url: String?

        /// Longer addresses of many titles would not fit into a sidecar.
        private static let longestURL = 512

        package init(at: CivilTime, position: Int64, text: String, url: String? = nil) {
            self.at = at
            self.position = position
            self.text = text
            self.url = url.flatMap { $0.utf8.count <= Self.longestURL ? $0 : nil }
        }
    }

    /// The ID of the recording that the file is a segment of.
    package var recording: String?
    /// The number of the segment in its recording, from 1.
    package var number: Int?
    /// Why this file was begun, instead of continuing the file before it.
    package var began: CutCause?
    /// The ID of the recording that this one continues, such as one from before a restart of the daemon; nil for none.
    /// Only the first file of a recording says so.
    package var continues: String?
    /// File names of the neighbours in the same recording, relative to this file's folder.
    package var previous: String?
    package var next: String?
    package var station: String?
    /// The ID of the station in the configuration; nil if there is none.
    package var stationID: String?
    /// The show that is recorded; nil if there is none.
    package var show: Show?
    /// Whether retention leaves the recording alone.
    package var isProtected = false
    /// The format, without header packets.
    package var format: StreamFormat
    /// The air time of the first frame; nil if unknown.
    package var at: CivilTime?
    package var frames: Int64
    /// The size of the frames in bytes, without tags.
    package var bytes: Int64
    package var samples: Int64
    /// The checksum of the frames (XXH64); nil while the file grows, or if an older version of Aircheck completed it.
    package var checksum: UInt64?
    /// How much faster the station's clock was than this machine's, in parts per million; nil if unknown.
    package var clockDrift: Double?
    /// Nil if nobody set this machine's clock while the file was recorded.
    package var clockStep: ClockStep?
    package var gaps: [Gap] = []
    package var splices: [Splice] = []
    package var stretches = Stretches()
    /// The audio that was put into gaps after the file was complete, in the order of its frames.
    package var healed: [Healed] = []
    /// How often the frames of the complete file were changed.
    package var revision: Int64 = 0
    /// The change that is being made; nil if there is none. Until it is settled, the rest describes the file without
    /// it.
    package var healing: Healing?
    package var titles: [Title] = []
    package var state: State
    /// Whether the sidecar is kept when the file is complete. Otherwise it exists only while the file grows, to
    /// identify it as Aircheck's.
    package var isKept = true
    /// Whether the song was recorded from beginning to end, for segments by title; otherwise nil.
    package var hasWholeSong: Bool?

    package init(format: StreamFormat, at: CivilTime?, frames: Int64, bytes: Int64, samples: Int64, state: State) {
        self.format = format
        self.at = at
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
        self.state = state
    }

    /// Whether the two sidecars differ at most in the numbers of frames, bytes and samples, which the audio itself
    /// shows as well, and in the sizes of drift and clock step.
    package func differsOnlyInFigures(from other: Sidecar) -> Bool {
        var sidecar = self
        (sidecar.frames, sidecar.bytes, sidecar.samples) = (other.frames, other.bytes, other.samples)
        if sidecar.clockDrift != nil, other.clockDrift != nil { sidecar.clockDrift = other.clockDrift }
        if sidecar.clockStep?.position == other.clockStep?.position { sidecar.clockStep = other.clockStep }
        return sidecar == other
    }

    /// Whether an index of the frames is kept beside the audio: beside the daemon's recordings, whose stations have
    /// IDs. Those who record from the command line get no further files. Ogg has none, because its packets lie in
    /// pages, nor has FLAC, because a decoder needs the head of the file.
    package var isIndexed: Bool { isKept && stationID != nil && [.mpeg, .adts].contains(format.container) }

    /// The member that a sidecar ends with while a change is being made.
    package static let unsettled = "unsettled"
    /// The program that writes sidecars.
    package static let software = "aircheck"
    /// The version of the format. It changes when a reader of older sidecars would misunderstand newer ones.
    package static let version: Int64 = 1
}

extension Sidecar {
    /// When the file begins on air, with the audio that is missing before its first frame; nil if the air time is
    /// unknown.
    package var beginOnAir: WallInstant? { at.map { at in gaps.first { $0.position == 0 }?.at.instant ?? at.instant } }

    /// When the last frame ended on air; nil if the air time is unknown.
    package var endOfAudio: WallInstant? { airTime(ofFrame: frames) }
}

extension [Sidecar.Gap] {
    /// How much is missing in the gaps after the first frame, as far as it is known. With the audio, this is the length
    /// in air time of the file or recording that has these gaps.
    package var missingInside: Duration {
        reduce(.zero) { $1.position > 0 ? $0 + .milliseconds(Swift.max(0, $1.milliseconds ?? 0)) : $0 }
    }
}
