// SPDX-License-Identifier: MIT

import RadioCore
package import Storage

// What reading a recorded file has shown.
extension Wording {
    /// What there is in the file, and each of its flaws.
    package static func line(
        _ check: SegmentCheck, _ flaws: [SegmentCheck.Flaw], gaps: Int, isGrowing: Bool
    ) -> String {
        var facts = ["\(check.frames) frames, \(Measure.bytes(check.bytes))"]
        if check.wrongChecksums > 0 {
            let frames = Measure.count(Int(clamping: check.wrongChecksums), "frame")
            // In a file that has not changed, they are as the station sent them.
            facts.append("\(frames) \(flaws.contains(.changed) ? "with" : "came with") a wrong checksum")
        }
        if gaps > 0 { facts.append(Measure.count(gaps, "gap")) }
        if isGrowing { facts.append("still being recorded") }
        return (facts + flaws.map { "NOT AS IT SHOULD BE: \(words($0))" }).joined(separator: "; ")
    }

    private static func words(_ flaw: SegmentCheck.Flaw) -> String {
        switch flaw {
        case .noSidecar: "nothing was written down of it"
        case .frames(let count): "\(count) frames were written down"
        case .bytes(let count): "\(count) bytes were written down"
        case .samples(let count): "\(count) samples were written down"
        case .changed: "its audio has changed since it was recorded"
        case .foreign(let count): "\(count) bytes belong to no frame"
        case .gapsOutside(let count): "\(Measure.count(count, "gap")) beyond its end"
        }
    }
}
