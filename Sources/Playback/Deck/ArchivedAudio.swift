// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// Reads from an archive, a little ahead, the frames that a programme's ring has dropped.
final class ArchivedAudio {
    /// The result of looking for a frame.
    enum Answer {
        /// Up to a second of frames, starting with the wanted frame, or with the next archived frame if the wanted
        /// frame was not archived.
        case chunk(Chunk)
        /// The frame is still being read.
        case reading
        /// No archive holds the frame, or any frame between it and the oldest frame of the ring; or reading failed.
        case missing
    }

    /// Called after each read, whether it brought a chunk or not.
    var onChunk: (() -> Void)?
    private let hub: StreamHub
    private var reader: (any ArchiveReader)?
    /// Chunks that were read and not yet passed.
    private var chunks: [Chunk] = []
    private var isReading = false
    /// Whether `reader` has read a chunk.
    private var hasRead = false
    /// Whether a reader ended without having read a chunk.
    private var hasFailed = false

    private static let chunksAhead = 2

    init(_ hub: StreamHub) {
        self.hub = hub
    }

    /// Looks for a frame older than those in the ring. Until ``close()``, no call may ask for an earlier frame than the
    /// previous call.
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

    /// Drops the chunks and cancels reading: the next wanted frame is elsewhere, or in the ring.
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
            // Another archive may continue where this archive ends.
            (reader, hasFailed) = (nil, !hasRead)
        }
        onChunk?()
    }
}

extension Chunk {
    /// How many of the chunk's frames play for a second, at least 1.
    fileprivate var framesInSecond: Int {
        let second = Int64(frames.count) * Int64(format.sampleRate) / max(1, samples)
        return max(1, Int(clamping: second))
    }
}
