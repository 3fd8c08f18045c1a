// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Segments that are no part of the programme's order, as frames that may be missing in it.
struct HLSSpare {
    private var reader: HLSReader?
    private var container: SegmentContainer?
    private var format: StreamFormat?
    private var parts = StreamParts()
    private var run = 0

    /// Adds a segment, which follows the one before.
    mutating func add(_ bytes: [UInt8], section: [UInt8]?, _ segment: ListedSegment) {
        let container = SegmentContainer(of: bytes, hasSection: section != nil)
        var reader = container == self.container ? reader.take() : nil
        self.container = container
        do throws(DemuxProblem) {
            if reader == nil {
                var new = HLSReader(container.makeDemuxer())
                if let section { try new.read(section) { take($0) } }
                reader = new
            }
            try reader?.read(bytes) { take($0) }
            self.reader = reader
        } catch {
            leaveOut()
        }
    }

    /// A segment is missing: what follows does not continue what came before.
    mutating func leaveOut() {
        reader = nil
        run += 1
    }

    private mutating func take(_ output: HLSReader.Output) {
        switch output {
        case .part(let part):
            if case .format(let format) = part { self.format = format }
            parts.append(part)
        case .frames(let batch, let bytes): parts.append(batch, bytes)
        case .time, .skipped, .wrongChecksum: break
        }
    }

    /// The size of the frames since the last call of ``take()``.
    var size: Int { parts.size }

    /// Returns the frames since the last call.
    mutating func take() -> SpareFrames? {
        guard let format, parts.frames > 0 else { return nil }
        defer { parts = StreamParts() }
        return SpareFrames(run: run, format, parts, source: "a list of segments")
    }
}
