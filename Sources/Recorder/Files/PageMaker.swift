// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Packs packets into pages, and counts the packets that are not in any page yet.
struct PageMaker {
    /// The serial number of the logical stream.
    let serial: UInt32
    private var paginator: OggPaginator
    private(set) var waiting = Units()

    /// Totals of a run of packets.
    struct Units: Hashable {
        var frames = 0
        var bytes = 0
        var samples: Int64 = 0
    }

    init(_ paginator: OggPaginator, serial: UInt32) {
        self.serial = serial
        self.paginator = paginator
    }

    /// The pre-skip of a file that begins at `position`. Only a finite source recorded from its beginning has all
    /// packets of its encoder; anywhere else, earlier packets are missing.
    static func preSkip(at position: Position, of kind: SourceKind?) -> OggPaginator.PreSkip {
        kind == .finite && position.samples == 0 ? .encoders : .convergence
    }

    /// Takes the packets of a chunk. Returns the pages that are now full, and the totals of their packets.
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

    /// Returns the last page.
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
