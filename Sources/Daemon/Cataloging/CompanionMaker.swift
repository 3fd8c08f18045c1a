// SPDX-License-Identifier: MIT

import Analysis
import Platform
import RadioCore
import Storage

/// Gives finished files the companions that they lack, or that do not fit them any more: after a crash, if somebody has
/// removed or changed something, or if audio was recorded before it could be heard.
///
/// On a thread of its own, one file after the other: that may take hours. Sendable; never blocks.
final class CompanionMaker: Sendable {
    private let library: Library
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let mailbox = Mailbox(Waiting())

    private struct Waiting {
        /// The IDs of the stations that have levels.
        var stations: Set<String> = []
        /// The paths of files below the recordings folder, and their stations.
        var files: [(path: [String], station: String)] = []
        var hasThread = false

        mutating func takeNext() -> (path: [String], hasLevels: Bool)? {
            files.popLast().map { ($0.path, stations.contains($0.station)) }
        }
    }

    private static let mostFiles = 100_000
    private static let pause = Duration.seconds(3)

    /// `run` runs work where files are deleted, so that none is deleted while a companion is written beside it.
    init(_ library: Library, run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        (self.library, self.run) = (library, run)
    }

    deinit { mailbox.abandon { $0.files = [] } }

    /// Sets the IDs of the stations that have levels.
    func use(_ stations: some Sequence<String>) { mailbox.put { $0.stations = Set(stations) } }

    /// Looks at a file soon. Any thread may call this.
    func note(_ segment: LibrarySegment) {
        guard segment.audio != nil, !segment.isGrowing, let station = segment.sidecar?.stationID else { return }
        let mustStart = mailbox.put { waiting in
            guard waiting.files.count < Self.mostFiles else { return false }
            waiting.files.append((segment.path, station))
            defer { waiting.hasThread = true }
            return !waiting.hasThread
        }
        guard mustStart == true else { return }
        let started = try? WorkerThread.start(name: "companions") { [library, run, mailbox] in
            while let (path, hasLevels) = mailbox.take({ $0.takeNext() }) {
                guard let segment = library.segment(at: path) else { continue }
                if let index = library.missingIndex(of: segment) {
                    run { library.put(index, as: .index, beside: segment) }
                }
                // The end of a file that was just finished is written a little later.
                guard hasLevels, Self.lacksLevels(segment, library), mailbox.rest(for: Self.pause),
                    Self.lacksLevels(segment, library), let levels = Self.levels(of: segment, library)
                else { continue }
                run { library.put(levels, as: .levels, beside: segment) }
            }
        }
        if started == nil { mailbox.put { $0.hasThread = false } }
    }

    private static func lacksLevels(_ segment: LibrarySegment, _ library: Library) -> Bool {
        !segment.isGrowing && library.levels(of: segment)?.isKnown != true
    }

    private static func levels(of segment: LibrarySegment, _ library: Library) -> [UInt8]? {
        guard let file = try? library.frames(of: segment), let gaps = segment.sidecar?.gaps else { return nil }
        return try? FileLevels.measure(file, gaps: Set(gaps.map(\.position)))
    }
}
