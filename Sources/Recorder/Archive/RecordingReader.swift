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
    private var held: (file: FrameThread.FileState, frames: FileFrames)?
    /// The run whose first frames were requested from the thread.
    private var asked: ArchiveIndex.Run?
    private var done: ((Chunk?) -> Void)?
    /// Whether the reader waits for a file whose frames are being changed.
    private var isWaiting = false

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
        guard let run = archive.index.run(from: next) else { return answer(nil) }
        if let chunk = chunk(of: run) { return answer(chunk) }
        isWaiting = archive.isChanging(run.file)
        guard !isWaiting else { return }
        asked = run
        if !archive.read(run, for: id) { answer(nil) }
    }

    /// Goes on if the reader waited for a file that is no longer changing.
    func resume() {
        if isWaiting { proceed() }
    }

    /// Takes the frames that the thread has read of the requested run; nil if they cannot be read.
    func take(_ frames: FileFrames?) {
        guard let run = asked.take() else { return }
        // The file may have been read after its frames had changed.
        let present = archive.index.run(from: next)
        if archive.isChanging(run.file) || present?.file == run.file && present?.state != run.state {
            return proceed()
        }
        held = frames.map { (run.state, $0) }
        // Skips frames whose file is gone, or that have not reached the disk.
        guard let chunk = chunk(of: run) else {
            next = run.end
            return proceed()
        }
        answer(chunk)
    }

    private func answer(_ chunk: Chunk?) {
        if let chunk { next = chunk.position.frames + Int64(chunk.frames.count) }
        done.take()?(chunk)
    }

    /// The first frames of a run, as far as they have been read; nil if none of them has been read.
    private func chunk(of run: ArchiveIndex.Run) -> Chunk? {
        guard let held, held.file == run.state, held.frames.index..<held.frames.end ~= run.index else {
            return nil
        }
        let (frames, first) = (held.frames, Int(run.index - held.frames.index))
        let count = min(frames.batch.count - first, Int(clamping: run.count))
        let slab = Slab(
            format: run.format, capacity: frames.bytes.count, position: run.start, expectedFrames: count)
        return frames.bytes.withUnsafeBytes { slab.append(frames.batch, from: first, $0) }?.subchunk(0..<count)
    }
}
