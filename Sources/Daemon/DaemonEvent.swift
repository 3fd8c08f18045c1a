// SPDX-License-Identifier: MIT

package import Catalog
package import Configuration
package import Engine
package import HTTPServer
package import RadioCore
package import Stations
package import Storage

/// An event of a running daemon. Events arrive in order.
package enum DaemonEvent: Sendable {
    /// The addresses on which the daemon listens have changed. The array contains all of them.
    case listening([SocketAddress])
    /// An attempt to listen on an address has failed; sent for each attempt. Recordings and other addresses are not
    /// affected.
    case notListening(Failure)
    /// A notice of the HTTP service.
    case service(ServiceNotice)
    /// A configuration has been applied.
    case configured(ConfigurationChange)
    /// The configuration contains something that is probably a mistake.
    case doubtful(ConfigurationWarning)
    /// A new configuration cannot be used; the old one applies.
    case notConfigured(UnusableConfiguration)
    /// A file that an earlier run had left behind was found at the start.
    case recovered(RecoveredFile)
    /// A file is finished: of a recording under way, of an earlier run, or copied from another recording.
    case fileFinished(FinishedBundle)
    /// A gap was entered into a file whose recording had ended before the gap was known.
    case lateGap(Sidecar.Gap, FinishedBundle)
    /// A notice from the connection of the station with this ID.
    case station(String, StationNotice)
    /// A notice from a use.
    case use(UseKey, UseNotice)
    /// A recording has its first file. `late` is how long after the beginning of its show the recording began; nil if
    /// the recording is in time.
    case recordingBegan(UseKey, recording: String, path: String, late: Duration?)
    case recordingEnded(UseKey, recording: String, RecordingOutcome)
    /// A mount or a player has ended, although it should continue. It is begun again.
    case failed(UseKey, Failure)
    /// A show is over.
    case showEnded(ShowAiring, RecordingResult)
    /// A manual recording is over.
    case manualEnded(ManualRecording, RecordingResult)
    /// A show is not recorded, because shows of other stations take precedence.
    case showRefused(ShowAiring)
    /// A station that is needed has sent no audio for a minute.
    case stationDown(String, Failure?)
    /// A station sends audio again, after it was down for this time.
    case stationBack(String, after: Duration)
    /// Nothing needs a station any more that was down for this time.
    case stationUnneeded(String, after: Duration)
    /// The player of a station has no sound, and waits until sound is available again.
    case soundLost(String, Failure)
    /// The player of a station has sound again.
    case soundBack(String)
    /// A notice of the catalog. Recordings are not affected.
    case catalog(CatalogThread.Notice)
    /// The catalog was rebuilt from the sidecars of this many files, or could not be rebuilt.
    case catalogRebuilt(Result<Int, CatalogError>)
    /// A rebuild of the catalog has found a file without a sidecar, or a copy.
    case rebuildFound(RebuildFinding)
    /// Retention deleted recordings or failed to, the recordings folder cannot be used, or the disk has become too full
    /// or has room again.
    case retention(RetentionOutcome)
    /// A recording that could not be written, for another reason than a full disk, is written again or no longer
    /// wanted. Its purpose is nil if it was a recording of an earlier run that does not continue.
    case writingAgain(station: String, UseKey?)
    /// The recordings' disk has become low or full, or is well again. `free`: its free bytes; nil if unknown.
    case disk(DiskAlarm.Level, free: Int64?)
    /// The wall clock is before any time at which this program can run, so shows wait until it is set.
    case clockNotSet
    /// The file of the manual recordings could not be read at the start, or could not be written. Only a failed write
    /// is tried again.
    case notRemembered(Failure)
    /// The daemon could not begin.
    case notStarted(Failure)
    /// A report of a part that the daemon does not know.
    case other(any DaemonReport)
    /// Everything has ended.
    case stopped
}

/// What a ``DaemonPart`` reports of its own. `Words` has its words.
package protocol DaemonReport: Sendable {}

/// What a new configuration has changed, as IDs of stations, and how the log is written from now on.
package struct ConfigurationChange: Hashable, Sendable {
    package var added: [String] = []
    package var removed: [String] = []
    package var changed: [String] = []
    package var log = LogSettings()
}
