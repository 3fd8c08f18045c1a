// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

/// The result of reading a whole file.
package struct SegmentCheck: Hashable, Sendable {
    package var frames: Int64 = 0
    /// Bytes of frames.
    package var bytes: Int64 = 0
    package var samples: Int64 = 0
    /// The ``AudioChecksum`` of the frames.
    package var checksum: UInt64 = 0
    /// Frames whose own checksum is wrong.
    package var wrongChecksums: Int64 = 0
    /// Bytes that are neither frames nor anything else that belongs in the file.
    package var foreignBytes: Int64 = 0

    package init() {}

    /// What is wrong with the file.
    package enum Flaw: Hashable, Sendable {
        case noSidecar
        /// The sidecar counts a different number of frames, bytes or samples; the value is the sidecar's number.
        case frames(Int64)
        case bytes(Int64)
        case samples(Int64)
        /// The frames differ from the recorded frames.
        case changed
        /// Bytes that belong to no frame.
        case foreign(Int64)
        /// The number of gaps that the sidecar places outside the file.
        case gapsOutside(Int)
    }

    /// Compares the file with its sidecar. The totals of a growing file are not compared: its sidecar is older than the
    /// file.
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
        // A process that was healing the file may have died.
        let sidecar = sidecar.settled(for: checksum)
        var flaws: [Flaw] = []
        if sidecar.frames != frames { flaws.append(.frames(sidecar.frames)) }
        if sidecar.bytes != bytes { flaws.append(.bytes(sidecar.bytes)) }
        // The duration of an Ogg packet may depend on the packet before it, which may be in another file.
        if sidecar.samples != samples, sidecar.format.container != .ogg { flaws.append(.samples(sidecar.samples)) }
        if let known = sidecar.checksum, known != checksum { flaws.append(.changed) }
        // A gap may be at the very end, after the last frame.
        let outside = sidecar.gaps.count { !(0...sidecar.frames).contains($0.position) }
        if outside > 0 { flaws.append(.gapsOutside(outside)) }
        return flaws
    }
}
