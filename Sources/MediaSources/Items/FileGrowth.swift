// SPDX-License-Identifier: MIT

import Instants

/// Whether the end of a file is waited at, because somebody still writes to the file. A value.
///
/// That is so of our own recordings, as long as they have the name of one that grows, and of whatever has grown since
/// it was opened.
struct FileGrowth {
    /// Whether it is named like a recording that grows.
    let isRecording: Bool
    private let sizeAtOpening: Int64
    private var size: Int64
    private var lastGrowth: MonotonicInstant?

    /// What has not grown for so long does not grow any more.
    static let patience = Duration.seconds(10)

    init(_ path: String, size: Int64) {
        isRecording = path.hasSuffix(".part")
        (sizeAtOpening, self.size) = (size, size)
    }

    /// Everything has been read. `hasName`: whether it had its name before that.
    mutating func mayGoOn(size: Int64, hasName: Bool, now: MonotonicInstant) -> Bool {
        if lastGrowth == nil || size > self.size { (self.size, lastGrowth) = (size, now) }
        guard isRecording ? hasName : size > sizeAtOpening, let lastGrowth else { return false }
        return now - lastGrowth < Self.patience
    }
}
