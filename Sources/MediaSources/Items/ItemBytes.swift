// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats

/// A file that is read at any place. Confined to the item's thread: all of it blocks.
struct ItemBytes {
    private let file: FileReader

    init(_ path: String) throws(Failure) {
        file = try FileReader(path)
    }

    /// Bytes of the file as it is now; nil where nobody knows.
    var size: Int64? { file.size }

    /// Whether a path leads to it.
    func isAt(_ path: String) -> Bool { file.isAt(path) }

    /// Fewer bytes than asked for where the file ends.
    func bytes(_ read: FileRead) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(read.count)
        while bytes.count < read.count {
            let (offset, overflow) = read.offset.addingReportingOverflow(Int64(bytes.count))
            guard !overflow else { return bytes }
            let hasMore = try file.read(at: offset, read.count - bytes.count) { bytes.append(contentsOf: $0) }
            guard hasMore else { return bytes }
        }
        return bytes
    }

    /// What its two ends say of it; nil where that is nothing.
    func facts(_ container: Container) throws(Failure) -> AudioFileFacts? {
        var inspection = FileInspection(container, size: size)
        while let read = inspection.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { inspection.take($0) }
        }
        return inspection.facts
    }

    /// The place of an instant.
    func place(of sample: Int64, _ facts: AudioFileFacts) throws(Failure) -> SeekPlace? {
        var seek = SeekEstimate(facts, to: sample)
        while let read = seek.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { seek.take($0) }
        }
        return seek.place
    }
}
