// SPDX-License-Identifier: MIT

import Instants

/// Decides whether to wait at the end of a file that may still be written to. A value.
///
/// Our own recordings are waited for while they have the name of a growing one, and any other file if it has grown
/// since it was opened.
struct FileGrowth {
    /// Whether the file has the name of a growing recording.
    let isRecording: Bool
    private let sizeAtOpening: Int64
    private var size: Int64
    private var lastGrowth: MonotonicInstant?

    /// A file that has not grown for this long does not grow any more.
    static let patience = Duration.seconds(10)

    init(_ path: String, size: Int64) {
        isRecording = path.hasSuffix(".part")
        (sizeAtOpening, self.size) = (size, size)
    }

    /// Whether the file may still grow after all of it was read. `hasName` says whether it had its name before that
    /// read.
    mutating func mayGoOn(size: Int64, hasName: Bool, now: MonotonicInstant) -> Bool {
        if lastGrowth == nil || size > self.size { (self.size, lastGrowth) = (size, now) }
        guard isRecording ? hasName : size > sizeAtOpening, let lastGrowth else { return false }
        return now - lastGrowth < Self.patience
    }
}
