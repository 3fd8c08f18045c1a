// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Holds back segments while their frames are compared with audio that was delivered.
struct HLSJoint {
    /// What a reader has yielded, kept.
    enum Held {
        case time(MediaTime)
        case part(StreamPart)
        case frames(FrameBatch, [UInt8])
        /// A segment was left out.
        case missing(Duration, Failure?)
    }

    /// How much of the frames was delivered before, by their stated times; nil if they are of another lineage.
    let overlap: Duration?
    private(set) var segments: [(delivery: HLSMachine.Delivery, held: [Held])] = []
    private var join: HLSLineageJoin
    private var size = 0

    /// More than a minute of any station.
    private static let mostHeld = 8 << 20

    init(after memory: FrameMemory, overlap: Duration? = nil) {
        (join, self.overlap) = (HLSLineageJoin(after: memory), overlap)
    }

    mutating func begin(_ delivery: HLSMachine.Delivery) { segments.append((delivery, [])) }

    mutating func take(_ output: HLSReader.Output) {
        let held: Held
        switch output {
        case .time(let time): held = .time(time)
        case .part(let part): held = .part(part)
        case .frames(let batch, let bytes):
            for index in 0..<batch.count { batch[index].mark.map { join.add($0) } }
            size += bytes.count
            held = .frames(batch, Array(bytes))
        case .skipped, .wrongChecksum: return
        }
        segments[segments.count - 1].held.append(held)
    }

    /// Takes what is missing behind the frames that are held; returns false if there are none.
    mutating func take(missing length: Duration, _ failure: Failure?) -> Bool {
        guard !segments.isEmpty else { return false }
        segments[segments.count - 1].held.append(.missing(length, failure))
        return true
    }

    /// `lead`: see ``HLSLineageJoin/verdict(isNewest:lead:)``.
    mutating func verdict(isNewest: Bool, lead: Duration?) -> HLSLineageJoin.Verdict {
        join.verdict(isNewest: isNewest || overlap != nil || size > Self.mostHeld, lead: overlap ?? lead)
    }
}
