// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import RadioFormats
import Stations
import Storage

/// The files of a recording, for reading audio that the ring has dropped. It outlives the recorder.
final class RecordingArchive: FrameArchive {
    private(set) var index = ArchiveIndex()
    private var paths: [FileID: String] = [:]
    private let reactor: any Reactor
    /// The thread that reads the files; started for the first read.
    private var thread: FrameThread?
    private var readers: [Int: WeakReader] = [:]
    /// The complete files whose frames are being changed. Until that is over, nobody begins to read them.
    private var changing: Set<FileID> = []
    private var lastReader = 0

    private struct WeakReader {
        weak var reader: RecordingReader?
    }

    /// The number of paths above which paths are removed; larger than the number of files in the index, whose paths are
    /// kept.
    private static let mostPaths = 2_048

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    // MARK: Writing

    /// Adds a chunk that is written to a file after `frames` frames and `samples` samples.
    func append(_ chunk: Chunk, to file: FileID, behind frames: Int64, samples: Int64) {
        index.append(chunk, to: file, behind: frames, samples: samples)
    }

    /// Sets the path that a file has, or will have once it is complete.
    func setPath(_ path: String, of file: FileID) {
        paths[file] = path
        guard paths.count > Self.mostPaths else { return }
        let files = index.files
        paths = paths.filter { files.contains($0.key) }
    }

    /// Ends a file. Later frames are in the file `rest`, or lost if `rest` is nil.
    func cut(_ file: FileID, after facts: FileFacts, rest: FileID? = nil) {
        index.cut(file, after: facts, rest: rest)
    }

    /// The frames of a complete file are about to change.
    func beginChange(of file: FileID) { changing.insert(file) }

    /// Frames have been put into a file, before its frame `index`.
    func put(_ frames: Int64, samples: Int64, before index: Int64, of file: FileID) {
        self.index.put(frames, samples: samples, before: index, of: file)
    }

    /// The frames of a file are as the index has them.
    func endChange(of file: FileID) {
        changing.remove(file)
        for reader in readers.values { reader.reader?.resume() }
    }

    func isChanging(_ file: FileID) -> Bool { changing.contains(file) }

    // MARK: Readers

    func firstFrame(from frame: Int64) -> Int64? { index.run(from: frame)?.start.frames }

    func makeReader(from frame: Int64) -> any ArchiveReader {
        lastReader += 1
        let reader = RecordingReader(lastReader, of: self, from: frame, reactor: reactor)
        readers[lastReader] = WeakReader(reader: reader)
        return reader
    }

    /// Requests the first frames of a run from the thread; the reader gets them later. Returns false if they cannot be
    /// read.
    func read(_ run: ArchiveIndex.Run, for id: Int) -> Bool {
        if thread == nil {
            let own = reactor.bind(self)
            thread = try? FrameThread { reader, frames in own.tell { $0.readers[reader]?.reader?.take(frames) } }
        }
        guard let thread, let path = paths[run.file] else { return false }
        thread.ask(for: id, run.state, at: path, run.format.container, from: run.index)
        return true
    }

    func closed(_ reader: Int) {
        readers[reader] = nil
        thread?.cancel(reader)
        // The thread ends, because hours may pass before the next reader.
        if readers.isEmpty { thread = nil }
    }
}
