// SPDX-License-Identifier: MIT

package import RadioCore
package import Storage

// The result of verifying a recorded file.
extension Wording {
    /// The contents of the file, and each of its flaws. `sidecar`: nil if the file has none.
    package static func line(
        _ check: SegmentCheck, _ flaws: [SegmentCheck.Flaw], beside sidecar: Sidecar?, isGrowing: Bool
    ) -> String {
        var facts = ["\(check.frames) frames, \(Measure.bytes(check.bytes))"]
        if check.wrongChecksums > 0 {
            let frames = Measure.count(Int(clamping: check.wrongChecksums), "frame")
            // It is certain that the station sent these frames like this only if the file is unchanged.
            let isUnchanged = sidecar?.checksum == check.checksum
            facts.append("\(frames) \(isUnchanged ? "came with" : "with") a wrong checksum")
        }
        let gaps = sidecar?.gaps.count ?? 0
        if gaps > 0 { facts.append(Measure.count(gaps, "gap")) }
        if isGrowing { facts.append("still being recorded") }
        return (facts + flaws.map { "WRONG: \(words($0))" }).joined(separator: "; ")
    }

    private static func words(_ flaw: SegmentCheck.Flaw) -> String {
        switch flaw {
        case .noSidecar: "it has no sidecar"
        case .frames(let count): "its sidecar counts \(count) frames"
        case .bytes(let count): "its sidecar counts \(count) bytes"
        case .samples(let count): "its sidecar counts \(count) samples"
        case .changed: "its audio has changed since it was recorded"
        case .foreign(let count): "\(count) bytes belong to no frame"
        case .gapsOutside(let count): "its sidecar has \(Measure.count(count, "gap")) beyond the end of the file"
        }
    }
}
