// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats

/// Reads a file at any offset. Confined to the item's thread, because all calls block.
struct ItemBytes {
    private let file: FileReader

    init(_ path: String) throws(Failure) {
        file = try FileReader(path)
    }

    /// The current size in bytes; nil if unknown.
    var size: Int64? { file.size }

    /// Whether a path leads to this file.
    func isAt(_ path: String) -> Bool { file.isAt(path) }

    /// Reads the wanted bytes, or fewer if the file ends.
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

    /// How long ago the file was last written to; nil if unknown, or if the file system's clock is too different.
    var age: Duration? { file.age }

    /// The facts found at the file's two ends and between them; nil if there are none. `size`: the size that the
    /// complete file has.
    func facts(_ container: Container, size: Int64?) throws(Failure) -> AudioFileFacts? {
        var inspection = FileInspection(container, size: size, isThorough: true)
        while let read = inspection.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { inspection.take($0) }
        }
        return inspection.facts
    }

    /// The place at which to begin reading for `sample`; nil if it cannot be found.
    func place(of sample: Int64, _ facts: AudioFileFacts) throws(Failure) -> SeekPlace? {
        var seek = SeekEstimate(facts, to: sample)
        while let read = seek.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { seek.take($0) }
        }
        return seek.place
    }
}
