// SPDX-License-Identifier: MIT

package import RadioCore
package import Recorder
package import Stations

/// What a recording is to be.
package struct RecordingSpec: Sendable {
    package enum Output: Sendable, Hashable {
        case folder(String)
        /// The frames and nothing else, to standard output.
        case standardOutput
    }

    package var output: Output
    package var settings: RecorderSettings
    /// Ends so long after the first audio, on the monotonic clock; nil goes on until it is ended.
    package var duration: Duration?
    /// Whether ``duration`` counts from the first audio of any recording under way that shares its time, instead of
    /// from its own.
    package var sharesTime = false
    /// Whether the programme ends with ``duration``, for all of its uses.
    package var endsProgramme = false
    /// Where in the audio that is kept it begins.
    package var start = JoinPlace.live

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

/// A recording at a glance.
package struct RecordingSnapshot: UseSnapshot, Hashable {
    package enum Phase: Sendable, Hashable {
        case running
        /// Its time is over, and what aired before that has not all come yet.
        case awaitingEnd
        /// The files are being finished.
        case finishing
    }

    /// Since the first audio.
    package var elapsed: Duration
    /// Bytes of audio.
    package var bytes: Int64
    /// The mean bit rate of the whole recording; nil before its first second of audio.
    package var bitsPerSecond: Double?
    package var phase: Phase
    /// What is wrong with the disk; nil while nothing is.
    package var failure: Failure?

    package init(
        elapsed: Duration, bytes: Int64, bitsPerSecond: Double? = nil, phase: Phase = .running, failure: Failure? = nil
    ) {
        self.elapsed = elapsed
        self.bytes = bytes
        self.bitsPerSecond = bitsPerSecond
        self.phase = phase
        self.failure = failure
    }
}

/// How a recording ended.
package struct RecordingOutcome: UseOutcome {
    package var report: RecordingReport
    /// Connections that were opened after the first one had delivered audio.
    package var reconnects = 0
    /// Connections that were opened beside a connection that had gone silent.
    package var hedges = 0
    /// Bytes that were no frames, by reason.
    package var skipped: [StationSnapshot.SkippedBytes] = []
    /// See ``StationSnapshot/wrongChecksums``.
    package var wrongChecksums: Int64 = 0
    /// See ``StationSnapshot/drift``.
    package var drift: Double?
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?

    package init(report: RecordingReport = RecordingReport(), failure: Failure? = nil) {
        self.report = report
        self.failure = failure
    }
}
