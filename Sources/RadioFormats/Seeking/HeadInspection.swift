// SPDX-License-Identifier: MIT

/// The part of a file inspection that depends on the container.
protocol HeadInspection {
    /// Whether any content has been taken, after which no tag can follow.
    var hasBegun: Bool { get }
    /// How many bytes at the end of the file may reveal more; nil for none. `isThorough`: whether reads are cheap.
    func tail(isThorough: Bool) -> Int?
    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding
    /// Adds what the file's end reveals to `facts`. Returns whether `bytes` sufficed.
    mutating func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool
}

enum HeadFinding {
    case read(at: Int64)
    /// All of a part of the file, in one read.
    case readAll(FileRead)
    case found(AudioFileFacts)
    case nothing
    /// The audio cannot be taken out.
    case refused(DemuxProblem)
}
