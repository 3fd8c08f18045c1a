// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Decides whether to wait at the end of a file that may still be written to, such as a download.
///
/// A recording of our own may grow while it has the name of a growing recording. Any other file may grow while it is not
/// whole, and was written to a short time ago.
struct FileGrowth {
    /// Whether the file has the name of a growing recording.
    let isRecording: Bool
    private var size: Int64
    /// When the file was last written to, as far as is known.
    private var lastChange: MonotonicInstant

    /// A file that has not been written to for this long counts as complete.
    static let patience = Duration.seconds(10)
    /// A file whose head announces more counts as cut off after this time, because a download may stall.
    static let patienceIfUnfinished = Duration.seconds(120)

    /// `lastChange`: when the file was last written to.
    init(_ path: String, size: Int64, lastChange: MonotonicInstant) {
        isRecording = path.hasSuffix(".part")
        (self.size, self.lastChange) = (size, lastChange)
    }

    /// Whether the file may still grow after all of it was read. `extent`: what the file says about its end. `hasName`:
    /// whether the path led to the file before that read.
    mutating func mayProceed(
        size: Int64, extent: AudioFileFacts.Extent, hasName: Bool, now: MonotonicInstant
    ) -> Bool {
        if size > self.size { (self.size, lastChange) = (size, now) }
        guard isRecording ? hasName : extent != .whole else { return false }
        return now - lastChange < (extent == .unfinished ? Self.patienceIfUnfinished : Self.patience)
    }
}
