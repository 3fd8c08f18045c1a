// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Decides whether to wait at the end of a file that may still be written to, such as a download.
///
/// A file is waited for until ten seconds after it was last written to. A recording of our own is waited for only while
/// it has the name of a growing recording, and a file that says that it is whole only if it has grown since it was
/// opened: other audio may be joined to it. A download may stall, so a file whose head announces more is waited for
/// until ten seconds after its end was reached.
struct FileGrowth {
    /// Whether the file has the name of a growing recording.
    let isRecording: Bool
    private var size: Int64
    private var hasGrown = false
    /// When the file was last written to, as far as is known.
    private var lastChange: MonotonicInstant
    /// When the present end of the file was reached; nil before that.
    private var reached: MonotonicInstant?

    /// How long to wait.
    static let patience = Duration.seconds(10)
    /// A file whose head announces more, and that was not written to for this long, was cut off.
    private static let longestStall = Duration.seconds(120)

    /// `lastChange`: when the file was last written to.
    init(_ path: String, size: Int64, lastChange: MonotonicInstant) {
        isRecording = path.hasSuffix(".part")
        (self.size, self.lastChange) = (size, lastChange)
    }

    /// Whether the file is a download that is not over, as its head announces more.
    func isPromised(_ extent: AudioFileFacts.Extent, now: MonotonicInstant) -> Bool {
        !isRecording && extent == .unfinished && now - lastChange < Self.longestStall
    }

    /// Whether the file may still grow after all of it was read. `extent`: what the file says about its end. `hasName`:
    /// whether the path led to the file before that read.
    mutating func mayProceed(
        size: Int64, extent: AudioFileFacts.Extent, hasName: Bool, now: MonotonicInstant
    ) -> Bool {
        if size > self.size { (self.size, hasGrown, lastChange, reached) = (size, true, now, now) }
        let reached = self.reached ?? now
        self.reached = reached
        guard isRecording ? hasName : extent != .whole || hasGrown else { return false }
        return now - (isPromised(extent, now: now) ? reached : lastChange) < Self.patience
    }
}
