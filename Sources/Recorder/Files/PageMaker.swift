// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Packets on their way into pages, and those of them that are in no page yet.
struct PageMaker {
    /// Serial number of the logical stream.
    let serial: UInt32
    private var paginator: OggPaginator
    private(set) var waiting = Units()

    /// Sums over a run of packets.
    struct Units: Hashable {
        var frames = 0
        var bytes = 0
        var samples: Int64 = 0
    }

    init(_ paginator: OggPaginator, serial: UInt32) {
        self.serial = serial
        self.paginator = paginator
    }

    /// Which of the first samples are not to be played in a file that begins at `position`. Only a finite source that
    /// is recorded from its beginning has all packets of its encoder; anywhere else the packets before are missing.
    static func preSkip(at position: Position, of kind: SourceKind?) -> OggPaginator.PreSkip {
        kind == .finite && position.samples == 0 ? .encoders : .convergence
    }

    /// Takes packets of a chunk; returns pages that are full now, and what is in them.
    mutating func append(_ chunk: Chunk) -> (pages: [UInt8], units: Units) {
        var output: [UInt8] = []
        var done = Units()
        for index in chunk.frames {
            let range = chunk.slab.range(ofFrame: index)
            let samples = chunk.slab.samples(ofFrames: index..<index + 1)
            let before = output.count
            chunk.slab.withBytes(range) { paginator.append(packet: $0, samples: Int(samples), into: &output) }
            if output.count > before { done.take(&waiting) }
            waiting.frames += 1
            waiting.bytes += range.count
            waiting.samples = waiting.samples.addingSaturated(samples)
        }
        return (output, done)
    }

    /// The last page.
    mutating func finish() -> (pages: [UInt8], units: Units) {
        var output: [UInt8] = []
        var done = Units()
        paginator.finish(into: &output)
        done.take(&waiting)
        return (output, done)
    }
}

extension PageMaker.Units {
    fileprivate mutating func take(_ other: inout PageMaker.Units) {
        frames += other.frames
        bytes += other.bytes
        samples = samples.addingSaturated(other.samples)
        other = PageMaker.Units()
    }
}
