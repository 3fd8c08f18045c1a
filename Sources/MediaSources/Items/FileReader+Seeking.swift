// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

extension FileReader {
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
