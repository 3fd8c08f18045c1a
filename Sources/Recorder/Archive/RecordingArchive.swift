// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Stations
import Storage

/// The files of a recording, as somebody reads them who wants audio that the ring has dropped. Confined to the loop's
/// thread. It outlives the recorder.
final class RecordingArchive: FrameArchive {
    private(set) var index = ArchiveIndex()
    private var paths: [FileID: String] = [:]
    private let reactor: any Reactor

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// The chunk goes into a file, behind so many of its frames.
    func append(_ chunk: Chunk, to file: FileID, behind frames: Int64) {
        index.append(chunk, to: file, behind: frames)
    }

    /// The path that a file has, or will have once it is complete.
    func setPath(_ path: String, of file: FileID) {
        paths[file] = path
        guard paths.count > Self.mostPaths else { return }
        let files = index.files
        paths = paths.filter { files.contains($0.key) }
    }

    func path(of file: FileID) -> String? { paths[file] }

    /// The file ends behind so many of its frames. What was to follow there is in another file, or lost.
    func cut(_ file: FileID, after frames: Int64, rest: FileID? = nil) {
        index.cut(file, after: frames, rest: rest)
    }

    /// More than the index has files.
    private static let mostPaths = 2_048

    func firstFrame(from frame: Int64) -> Int64? { index.stretch(from: frame)?.start.frames }

    func makeReader(from frame: Int64) -> any ArchiveReader { RecordingReader(self, from: frame, reactor: reactor) }
}
