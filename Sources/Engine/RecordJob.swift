// SPDX-License-Identifier: MIT

package import RadioCore
package import Recorder
package import Stations

/// What one recording is made of.
package struct RecordJob: Sendable {
    package enum Source: Sendable {
        case station(StationSettings)
        /// The bundled programme, served on loopback by our own relay and recorded from there like any station.
        case demo(userAgent: String)
    }

    package enum Output: Sendable, Hashable {
        case folder(String)
        /// The frames and nothing else, to standard output.
        case standardOutput
    }

    package var source: Source
    package var output: Output
    package var recording: RecorderSettings
    /// Ends so long after the first byte, on the monotonic clock; nil goes on until it is stopped.
    package var duration: Duration?

    package init(source: Source, output: Output, recording: RecorderSettings, duration: Duration?) {
        self.source = source
        self.output = output
        self.recording = recording
        self.duration = duration
    }
}

/// How a recording is getting on, for a line on a terminal.
package struct RecordProgress: Sendable, Hashable {
    /// Since the first byte.
    package var elapsed: Duration
    /// Bytes of audio.
    package var bytes: Int64
    /// Over all of it; nil before there was a second of audio.
    package var bitsPerSecond: Double?
    package var station: String
    package var title: String?
    package var reconnects: Int
    /// What is being waited for, in words; nil while audio comes.
    package var waiting: String?

    package init(
        elapsed: Duration, bytes: Int64, bitsPerSecond: Double? = nil, station: String, title: String? = nil,
        reconnects: Int = 0, waiting: String? = nil
    ) {
        self.elapsed = elapsed
        self.bytes = bytes
        self.bitsPerSecond = bitsPerSecond
        self.station = station
        self.title = title
        self.reconnects = reconnects
        self.waiting = waiting
    }
}

/// How a recording ended.
package struct RecordOutcome: Sendable {
    package var report: RecordingReport
    /// Connections that were opened after the first one had delivered audio.
    package var reconnects: Int
    /// Connections that were opened beside a connection that had gone silent.
    package var hedges: Int
    /// Bytes that were no frames, by reason.
    package var skipped: [StationSnapshot.SkippedBytes]
    /// See ``StationSnapshot/wrongChecksums``.
    package var wrongChecksums: Int64
    /// See ``StationSnapshot/drift``.
    package var drift: Double?
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?

    /// A recording that could not even begin.
    package static func nothing(_ failure: Failure) -> RecordOutcome {
        RecordOutcome(
            report: RecordingReport(), reconnects: 0, hedges: 0, skipped: [], wrongChecksums: 0, failure: failure)
    }
}

/// What is told while a recording runs. Values only: they cross to the thread that writes to the terminal.
package enum RecordEvent: Sendable {
    case station(StationNotice)
    case recorder(RecorderNotice)
    case progress(RecordProgress)
    /// The last one.
    case ended(RecordOutcome)
}
