// SPDX-License-Identifier: MIT

import Analysis
import Platform
import RadioCore
import RadioFormats
import Storage

/// Gives finished files of stations with `levels` the levels that they lack, by decoding them: after a crash, or if audio
/// was recorded before it could be heard. On a thread of its own, one file after the other. Sendable; never blocks.
final class LevelMaker: Sendable {
    private let library: Library
    private let mailbox = Mailbox(Waiting())

    private struct Waiting {
        /// The IDs of the stations that have levels.
        var stations: Set<String> = []
        /// The paths of files below the recordings folder.
        var files: [[String]] = []
        var hasThread = false
    }

    private static let mostFiles = 100_000
    private static let pause = Duration.seconds(3)

    init(_ library: Library) { self.library = library }

    deinit { mailbox.abandon { $0.files = [] } }

    func use(_ stations: some Sequence<String>) { mailbox.put { $0.stations = Set(stations) } }

    /// Looks at a file soon. Any thread may call this.
    func note(_ segment: LibrarySegment) {
        guard segment.audio != nil, !segment.isGrowing, let station = segment.sidecar?.stationID else { return }
        let mustStart = mailbox.put { waiting in
            guard waiting.stations.contains(station), waiting.files.count < Self.mostFiles else { return false }
            waiting.files.append(segment.path)
            defer { waiting.hasThread = true }
            return !waiting.hasThread
        }
        guard mustStart == true else { return }
        let started = try? WorkerThread.start(name: "levels") { [library, mailbox] in
            while let path = mailbox.take({ $0.files.popLast() }) {
                // The end of a file that was just finished is written a little later.
                if Self.isToBeMade(library.segment(at: path), library), mailbox.rest(for: Self.pause) {
                    Self.make(library.segment(at: path), library)
                }
            }
        }
        if started == nil { mailbox.put { $0.hasThread = false } }
    }

    private static func isToBeMade(_ segment: LibrarySegment?, _ library: Library) -> Bool {
        segment.map { !$0.isGrowing && library.levels(of: $0)?.isKnown != true } ?? false
    }

    private static func make(_ segment: LibrarySegment?, _ library: Library) {
        guard let segment, isToBeMade(segment, library), let sidecar = segment.sidecar,
            let path = library.audioPath(of: segment),
            let levels = try? FileLevels.measure(path: path, container: sidecar.format.container)
        else { return }
        try? library.put(levels, beside: segment)
    }
}
