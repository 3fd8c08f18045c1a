// SPDX-License-Identifier: MIT

/// The part of an inspection that differs from container to container.
protocol HeadInspection {
    /// Whether bytes have been taken, so that no tag can come.
    var hasBegun: Bool { get }
    /// Bytes of the file's end that may tell more; nil where none do.
    var tail: Int? { get }
    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding
    /// Whether that was enough.
    mutating func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool
}

enum HeadFinding {
    case read(at: Int64)
    case found(AudioFileFacts)
    case nothing
}
