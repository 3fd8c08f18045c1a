// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import Recorder
package import Stations

/// How to record a programme.
package struct RecordingSpec: Sendable {
    package enum Output: Sendable, Hashable {
        case folder(String)
        /// Frames only, to standard output.
        case standardOutput
    }

    package var output: Output
    package var settings: RecorderSettings
    /// The time after the first audio at which to end, on the monotonic clock; nil to record until stopped.
    package var duration: Duration?
    /// Whether ``duration`` counts from the first audio of any running recording that shares its time, instead of from
    /// its own.
    package var sharesTime = false
    /// Whether the programme ends with ``duration``, for all of its uses.
    package var endsProgramme = false
    /// Where in the kept audio to begin.
    package var start = JoinPlace.live
    /// Whether this recording begins where another one ends, which must be asked to end now: at the next frame or, if
    /// the programme is another one, at the air time of ``RecordingRequest/follows(_:)``.
    package var follows = false
    /// The air time up to which the recording that this one continues is whole: one of an earlier run of the daemon,
    /// whose end nobody knows yet. Of what the station still has, nothing older is asked for.
    package var resumesAt: WallInstant?
    /// The span to record; nil to record from ``start`` on. Begin the use some time before the span, so that the
    /// station is connected, and its air time known, when the span begins. If the span has begun already, the recording
    /// begins with the oldest audio of the span that is kept.
    package var span: RecordingSpan?
    /// Whether to wait for a disk that accepts no data even before the first file. After it, every recording waits.
    package var waitsForDisk = false
    /// The companions that are made besides those of all recordings.
    package var companions: Set<Companion> = []
    /// The program to run for each finished file; nil for none.
    package var exec: FileProgram?

    package init(output: Output, settings: RecorderSettings, duration: Duration? = nil) {
        self.output = output
        self.settings = settings
        self.duration = duration
    }
}

extension RecordingSpec: UseSpec {
    package func makeUse(_ context: UseContext) -> any Use { RecordingUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { RecordingOutcome(failure: failure) }
}

/// Requests to a running recording.
package enum RecordingRequest: UseRequest, Hashable {
    /// Enters a gap before the recording's first frame.
    case missing(Gap)
    /// Enters the ID of the recording that this one continues, instead of the one that its specification names; nil for
    /// none.
    case continues(String?)
    /// Another recording follows this one, and enters the gap between the two. `atOnce`: it begins now, so this one
    /// records nothing any more; otherwise it belongs to the next run. Send this before the end.
    case isFollowed(atOnce: Bool)
    /// The audio of the recording before this one ended at this air time; nil if there is none, so that this one begins
    /// with the oldest audio. Ignored once this one has audio.
    case follows(WallInstant?)
}

/// The state of a recording.
package struct RecordingSnapshot: UseSnapshot, Hashable {
    package enum Phase: Sendable, Hashable {
        case running
        /// The duration is over, but audio that aired before its end is still expected.
        case awaitingEnd
        /// The files are being finished.
        case finishing
    }

    /// The time since the first audio.
    package var elapsed: Duration
    /// Bytes of audio recorded, also those in files that were deleted since.
    package var bytes: Int64
    /// The files on disk that are not complete, oldest first.
    package var files: [RecordedSegment] = []
    /// The mean bit rate of the whole recording; nil during its first second of audio.
    package var bitsPerSecond: Double?
    package var phase = Phase.running
    /// The current failure of the disk, if any.
    package var failure: Failure?
}

/// How a recording ended.
package struct RecordingOutcome: UseOutcome {
    package var report: RecordingReport
    /// Connections opened after the first one had delivered audio.
    package var reconnects = 0
    /// Connections opened beside one that had stalled or brought no audio.
    package var hedges = 0
    /// Bytes that were not frames, by reason.
    package var skipped: [StationSnapshot.SkippedBytes] = []
    /// See ``StationSnapshot/damage``.
    package var damage = StreamDamage()
    /// See ``StationSnapshot/wrongChecksums``.
    package var wrongChecksums: Int64 = 0
    /// See ``StationSnapshot/drift``.
    package var drift: Double?
    /// The station at the end; nil before the first audio.
    package var station: StationInfo?
    /// What became of ``RecordingSpec/exec``; nil if there was none.
    package var exec: FileProgramTally?
    /// Why the recording did not end as the user wanted; nil if it did.
    package var failure: Failure?

    package init(report: RecordingReport = RecordingReport(), failure: Failure? = nil) {
        self.report = report
        self.failure = failure
    }
}
