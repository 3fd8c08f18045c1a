// SPDX-License-Identifier: MIT

import Instants

/// Decides whether to wait at the end of a file that may still be written to.
///
/// A recording of our own may grow while it has the name of a growing recording. Any other file may grow if it has
/// grown since it was opened.
struct FileGrowth {
    /// Whether the file has the name of a growing recording.
    let isRecording: Bool
    private let sizeAtOpening: Int64
    private var size: Int64
    private var lastGrowth: MonotonicInstant?

    /// A file that has not grown for this long counts as complete.
    static let patience = Duration.seconds(10)

    init(_ path: String, size: Int64) {
        isRecording = path.hasSuffix(".part")
        (sizeAtOpening, self.size) = (size, size)
    }

    /// Whether the file may still grow after all of it was read. `hasName`: whether the path led to the file before
    /// that read.
    mutating func mayProceed(size: Int64, hasName: Bool, now: MonotonicInstant) -> Bool {
        if lastGrowth == nil || size > self.size { (self.size, lastGrowth) = (size, now) }
        guard isRecording ? hasName : size > sizeAtOpening, let lastGrowth else { return false }
        return now - lastGrowth < Self.patience
    }
}
