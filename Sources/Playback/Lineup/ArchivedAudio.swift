// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// Frames that a programme's ring has dropped, read from an archive a little ahead. Confined to the loop's thread.
final class ArchivedAudio {
    /// What there is of a frame that is wanted.
    enum Answer {
        /// About a second of frames, beginning with the wanted one, or with the next one that was kept.
        case chunk(Chunk)
        /// It is being read.
        case reading
        /// No archive has it, or anything between it and the oldest frame of the ring.
        case missing
    }

    /// Called when there is more.
    var onChunk: (() -> Void)?
    private let hub: StreamHub
    private var reader: (any ArchiveReader)?
    /// What was read and not taken.
    private var chunks: [Chunk] = []
    private var isReading = false
    /// Whether the reader has read anything.
    private var hasRead = false
    /// Whether a reader could read nothing.
    private var hasFailed = false

    private static let chunksAhead = 2

    init(_ hub: StreamHub) {
        self.hub = hub
    }

    /// Looks for a frame older than the ring's. One after the other is asked for, until ``close()``.
    func look(for frame: Int64) -> Answer {
        while let chunk = chunks.first {
            let first = chunk.position.frames
            if frame < first + Int64(chunk.frames.count) {
                let start = Int(max(0, frame - first))
                return .chunk(chunk.subchunk(start..<min(chunk.frames.count, start + chunk.framesInSecond)))
            }
            chunks.removeFirst()
            readAhead()
        }
        if isReading { return .reading }
        guard !hasFailed, let (archive, first) = hub.archive(from: frame), first < hub.ring.oldestFrame else {
            return .missing
        }
        if reader == nil { (reader, hasRead) = (archive.makeReader(from: first), false) }
        readAhead()
        return .reading
    }

    /// The next frame that is wanted is another one, or in the ring.
    func close() {
        (reader, isReading, hasFailed) = (nil, false, false)
        if !chunks.isEmpty { chunks.removeAll() }
    }

    private func readAhead() {
        guard let reader, !isReading, chunks.count < Self.chunksAhead else { return }
        isReading = true
        reader.read { [weak self, weak reader] chunk in
            guard let self, let reader, reader === self.reader else { return }
            take(chunk)
        }
    }

    private func take(_ chunk: Chunk?) {
        isReading = false
        if let chunk {
            hasRead = true
            chunks.append(chunk)
            readAhead()
        } else {
            // Another archive may go on where this one ends.
            (reader, hasFailed) = (nil, !hasRead)
        }
        onChunk?()
    }
}

extension Chunk {
    /// How many of its frames play for a second, one at least.
    fileprivate var framesInSecond: Int {
        let second = Int64(frames.count) * Int64(format.sampleRate) / max(1, samples)
        return max(1, Int(clamping: second))
    }
}
