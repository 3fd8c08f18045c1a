// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import RadioFormats
import Stations
import Storage

/// Reads a recording's files as the programme that they hold. Confined to the loop's thread.
final class RecordingReader: ArchiveReader {
    private let archive: RecordingArchive
    private let reactor: any Reactor
    private var thread: FrameThread?
    /// The number of the frame that is read next.
    private var next: Int64
    /// What was read of a file and not handed out.
    private var held: (file: FileID, frames: FileFrames)?
    /// The file that the thread was asked for.
    private var asked: FileID?
    private var done: ((Chunk?) -> Void)?

    init(_ archive: RecordingArchive, from frame: Int64, reactor: any Reactor) {
        self.archive = archive
        self.reactor = reactor
        next = frame
        let own = reactor.bind(self)
        thread = try? FrameThread { frames in own.tell { $0.take(frames) } }
    }

    func read(_ done: @escaping (Chunk?) -> Void) {
        self.done = done
        reactor.defer { [weak self] in self?.goOn() }
    }

    private func goOn() {
        guard let stretch = archive.index.stretch(from: next) else { return answer(nil) }
        if let chunk = chunk(of: stretch) { return answer(chunk) }
        guard let thread, let path = archive.path(of: stretch.file) else { return answer(nil) }
        asked = stretch.file
        thread.ask(
            FrameThread.Request(
                file: stretch.file, path: path, container: stretch.format.container, index: stretch.index))
    }

    private func take(_ frames: FileFrames?) {
        guard let frames, let asked else { return answer(nil) }
        held = (asked, frames)
        guard let stretch = archive.index.stretch(from: next), let chunk = chunk(of: stretch) else {
            return answer(nil)
        }
        answer(chunk)
    }

    private func answer(_ chunk: Chunk?) {
        if let chunk { next = chunk.position.frames + Int64(chunk.frames.count) }
        done.take()?(chunk)
    }

    /// The frames at hand with which a stretch begins; nil where there are none.
    private func chunk(of stretch: ArchiveIndex.Stretch) -> Chunk? {
        guard let held, held.file == stretch.file,
            held.frames.index..<held.frames.end ~= stretch.index
        else { return nil }
        let (frames, first) = (held.frames, Int(stretch.index - held.frames.index))
        let count = min(frames.batch.count - first, Int(clamping: stretch.count))
        let slab = Slab(
            format: stretch.format, capacity: frames.bytes.count, position: stretch.start, expectedFrames: count)
        return frames.bytes.withUnsafeBytes { slab.append(frames.batch, from: first, $0) }?
            .subchunk(0..<count)
    }
}
