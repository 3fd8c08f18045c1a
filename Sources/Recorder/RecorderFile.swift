// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// One file of a recording, from its creation to its final sidecar. Confined to the loop's thread.
final class RecorderFile {
    /// Names it to the writer.
    let id: FileID
    let spec: SegmentFileSpec
    let format: StreamFormat
    var ledger: SegmentLedger
    var head: SegmentHead
    /// Ogg: puts packets into pages.
    var pages: PageMaker?
    /// The path that the file has or is going to have; nil until it exists.
    var path: String?
    /// Its neighbours in the recording, as this file's sidecar names them.
    var previous: String?
    var next: String?
    /// Whether the planner has closed it.
    var isClosed = false

    init(id: FileID, spec: SegmentFileSpec, format: StreamFormat, ledger: SegmentLedger, head: SegmentHead) {
        self.id = id
        self.spec = spec
        self.format = format
        self.ledger = ledger
        self.head = head
    }

    /// The path without the recordings folder, as neighbours are named: folders and file name.
    var name: String? {
        guard let path, let last = path.split(separator: "/").last else { return nil }
        return (spec.folders + [String(last)]).joined(separator: "/")
    }
}

/// Packets on their way into pages, and those of them that are in no page yet.
struct PageMaker {
    private var paginator: OggPaginator
    private(set) var waiting = Units()

    /// What a run of packets amounts to.
    struct Units: Hashable {
        var frames = 0
        var bytes = 0
        var samples: Int64 = 0
    }

    init(_ paginator: OggPaginator) {
        self.paginator = paginator
    }

    /// Takes packets of a chunk; returns pages that are full now, and what is in them.
    mutating func append(_ chunk: Chunk) -> (pages: [UInt8], units: Units) {
        var output: [UInt8] = []
        var done = Units()
        for index in chunk.frames {
            let range = chunk.slab.range(ofFrame: index)
            let samples = Int64(chunk.slab.facts[index].samples)
            let before = output.count
            chunk.slab.withBytes(range) { paginator.append(packet: $0, samples: Int(samples), into: &output) }
            if output.count > before { done.take(&waiting) }
            waiting.frames += 1
            waiting.bytes += range.count
            waiting.samples += samples
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
        samples += other.samples
        other = PageMaker.Units()
    }
}
