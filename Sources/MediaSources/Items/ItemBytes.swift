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

    /// The facts found at the file's two ends; nil if there are none.
    func facts(_ container: Container) throws(Failure) -> AudioFileFacts? {
        var inspection = FileInspection(container, size: size)
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
