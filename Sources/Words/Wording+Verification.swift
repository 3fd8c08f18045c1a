// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
import RadioFormats
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
        let healed = sidecar?.healed.count ?? 0
        if healed > 0 { facts.append("\(Measure.count(healed, "gap")) healed") }
        if isGrowing { facts.append("not complete yet") }
        return (facts + flaws.map { "WRONG: \(words($0))" }).joined(separator: "; ")
    }

    /// What is known of files that are gone from a recording, without their names.
    package static func line(_ hole: LibraryRecording.Hole) -> String {
        guard !hole.isBeforeAll else { return "no longer there; the recording begins after it" }
        let gone = hole.named.count == 1 ? "the file is gone" : "the files are gone"
        var facts = [hole.isDeleted ? "deleted by Aircheck" : "WRONG: \(gone)"]
        if let numbers = hole.numbers, numbers.count > hole.named.count {
            facts.append("with all files from number \(numbers.lowerBound) to \(numbers.upperBound) of the recording")
        }
        if let from = hole.from, let until = hole.until, until > from {
            // The gaps of the files that are gone are not known any more.
            facts.append("up to \(Measure.clock(seconds: (until - from) / .seconds(1))) of audio")
        }
        return facts.joined(separator: ", ")
    }

    private static func words(_ flaw: SegmentCheck.Flaw) -> String {
        switch flaw {
        case .noSidecar: "it has no sidecar"
        case .frames(let count): "its sidecar counts \(count) frames"
        case .bytes(let count): "its sidecar counts \(count) bytes"
        case .samples(let count): "its sidecar counts \(count) samples"
        case .changed: "its audio has changed since it was recorded"
        case .foreign(let count): "\(count) bytes belong to no frame"
        case .gapsOutside(let count): "its sidecar has \(Measure.count(count, "gap")) outside the file"
        }
    }
}
