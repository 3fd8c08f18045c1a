// SPDX-License-Identifier: MIT

package import RadioCore

extension Library {
    /// The levels of a segment, as long as its audio; nil if there are none that can be read.
    package func levels(of segment: LibrarySegment) -> Levels? {
        guard var levels = bytes(of: .levels, beside: segment).flatMap(Levels.init(bytes:)) else { return nil }
        // The sidecar of a growing file is older than its levels.
        if let sidecar = segment.sidecar, !segment.isGrowing { levels.resize(to: sidecar.seconds) }
        return levels
    }
}

extension Sidecar {
    /// The seconds that have levels. A rest of less than a tenth of a second has none.
    package var seconds: Int { Int(max(0, (format.seconds(of: samples) - 0.1).rounded(.up))) }
}
