// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Stations
import Storage

/// Reads a programme back from the files of its recording.
final class RecordingReader: ArchiveReader {
    private let id: Int
    private let archive: RecordingArchive
    private let reactor: any Reactor
    /// The number of the frame that is read next.
    private var next: Int64
    /// The frames that were read last, and their file.
    private var held: (file: FileID, frames: FileFrames)?
    /// The piece whose first frames were requested from the thread.
    private var asked: ArchiveIndex.Piece?
    private var done: ((Chunk?) -> Void)?

    init(_ id: Int, of archive: RecordingArchive, from frame: Int64, reactor: any Reactor) {
        self.id = id
        self.archive = archive
        self.reactor = reactor
        next = frame
    }

    deinit { archive.closed(id) }

    func read(_ done: @escaping (Chunk?) -> Void) {
        self.done = done
        reactor.defer { [weak self] in self?.proceed() }
    }

    private func proceed() {
        guard let piece = archive.index.piece(from: next) else { return answer(nil) }
        if let chunk = chunk(of: piece) { return answer(chunk) }
        asked = piece
        if !archive.read(piece, for: id) { answer(nil) }
    }

    /// Takes the frames that the thread has read of the requested piece; nil if they cannot be read.
    func take(_ frames: FileFrames?) {
        guard let piece = asked.take() else { return }
        held = frames.map { (piece.file, $0) }
        // Skips frames whose file is gone, or that have not reached the disk.
        guard let chunk = chunk(of: piece) else {
            next = piece.end
            return proceed()
        }
        answer(chunk)
    }

    private func answer(_ chunk: Chunk?) {
        if let chunk { next = chunk.position.frames + Int64(chunk.frames.count) }
        done.take()?(chunk)
    }

    /// The first frames of a piece, as far as they have been read; nil if none of them has been read.
    private func chunk(of piece: ArchiveIndex.Piece) -> Chunk? {
        guard let held, held.file == piece.file, held.frames.index..<held.frames.end ~= piece.index else {
            return nil
        }
        let (frames, first) = (held.frames, Int(piece.index - held.frames.index))
        let count = min(frames.batch.count - first, Int(clamping: piece.count))
        let slab = Slab(
            format: piece.format, capacity: frames.bytes.count, position: piece.start, expectedFrames: count)
        return frames.bytes.withUnsafeBytes { slab.append(frames.batch, from: first, $0) }?.subchunk(0..<count)
    }
}
