// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

/// What reading all of a file has shown. A value.
package struct SegmentCheck: Hashable, Sendable {
    package var frames: Int64 = 0
    /// Bytes of frames.
    package var bytes: Int64 = 0
    package var samples: Int64 = 0
    /// The ``AudioChecksum`` of the frames.
    package var checksum: UInt64 = 0
    /// Frames whose own checksum is wrong.
    package var wrongChecksums: Int64 = 0
    /// Bytes that are neither frames nor anything that belongs into the file.
    package var foreignBytes: Int64 = 0

    package init() {}

    /// What is wrong with the file.
    package enum Flaw: Hashable, Sendable {
        case noSidecar
        /// The sidecar counts another number of frames, bytes or samples: this one.
        case frames(Int64)
        case bytes(Int64)
        case samples(Int64)
        /// The frames are not those that were recorded.
        case changed
        /// Bytes that belong to no frame.
        case foreign(Int64)
        /// Gaps at places that the file does not have.
        case gapsOutside(Int)
    }

    /// Compares the file with its sidecar. That of a growing file is older than the file.
    package func flaws(of segment: LibrarySegment) -> [Flaw] {
        var flaws: [Flaw] = []
        if let sidecar = segment.sidecar {
            if !segment.isGrowing { flaws = self.flaws(beside: sidecar) }
        } else {
            flaws = [.noSidecar]
        }
        if foreignBytes > 0 { flaws.append(.foreign(foreignBytes)) }
        return flaws
    }

    private func flaws(beside sidecar: Sidecar) -> [Flaw] {
        var flaws: [Flaw] = []
        if sidecar.frames != frames { flaws.append(.frames(sidecar.frames)) }
        if sidecar.bytes != bytes { flaws.append(.bytes(sidecar.bytes)) }
        // How long a packet in Ogg plays may depend on the one before it, which is in another file.
        if sidecar.samples != samples, sidecar.format.container != .ogg { flaws.append(.samples(sidecar.samples)) }
        if let known = sidecar.checksum, known != checksum { flaws.append(.changed) }
        // One may be at the very end.
        let outside = sidecar.gaps.count { !(0...sidecar.frames).contains($0.position) }
        if outside > 0 { flaws.append(.gapsOutside(outside)) }
        return flaws
    }
}
