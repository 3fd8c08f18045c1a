// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Platform
import RadioCore
import Storage

/// Gives finished files the companions that they lack, or that do not fit them any more: after a crash, if somebody has
/// removed or changed something, or if audio was recorded before its station had them.
///
/// On a thread of its own, one file after the other: that may take hours. Sendable; never blocks.
final class CompanionMaker: Sendable {
    private let library: Library
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let mailbox = Mailbox(Waiting())

    private struct File {
        /// Below the recordings folder.
        var path: [String]
        var station: String
        /// Whether the file was just finished. The end of what grows with it is written a little later.
        var isNew: Bool
    }

    private struct Waiting {
        /// The companions that stations have beside those of all stations.
        var chosen: [String: Set<Companion>] = [:]
        var files: [File] = []
        var hasThread = false

        mutating func takeNext() -> (file: File, chosen: Set<Companion>)? {
            files.popLast().map { ($0, chosen[$0.station] ?? []) }
        }
    }

    private static let mostFiles = 100_000
    private static let pause = Duration.seconds(3)

    /// `run` runs work where files are deleted, so that none is deleted while a companion is written beside it.
    init(_ library: Library, run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        (self.library, self.run) = (library, run)
    }

    deinit { mailbox.abandon { $0.files = [] } }

    /// Makes the companions that these stations have, from now on.
    func use(_ stations: [StationConfiguration]) {
        let chosen = Dictionary(stations.map { ($0.id, $0.companions) }) { first, _ in first }
        mailbox.put { $0.chosen = chosen }
    }

    /// Looks at a file that was found in the library, soon.
    func note(_ segment: LibrarySegment) {
        if segment.audio != nil, !segment.isGrowing { note(segment.path, of: segment.sidecar?.stationID, isNew: false) }
    }

    /// Looks at a file soon, given its path below the recordings folder. Any thread may call this.
    func note(_ path: [String], of station: String?, isNew: Bool) {
        guard let station else { return }
        let mustStart = mailbox.put { waiting in
            guard waiting.files.count < Self.mostFiles else { return false }
            waiting.files.append(File(path: path, station: station, isNew: isNew))
            defer { waiting.hasThread = true }
            return !waiting.hasThread
        }
        guard mustStart == true else { return }
        let started = try? WorkerThread.start(name: "companions", isPatient: true) { [library, run, mailbox] in
            while let (file, chosen) = mailbox.take({ $0.takeNext() }) {
                for recipe in CompanionRecipes.all where recipe.companion.option == nil || chosen.contains(recipe.companion) {
                    guard let segment = library.segment(at: file.path), Self.mayMake(recipe, of: segment, library),
                        !file.isNew || mailbox.rest(for: Self.pause) && Self.mayMake(recipe, of: segment, library),
                        let bytes = recipe.make(of: segment, in: library)
                    else { continue }
                    run { library.put(bytes, as: recipe.companion, beside: segment) }
                }
            }
        }
        if started == nil { mailbox.put { $0.hasThread = false } }
    }

    private static func mayMake(
        _ recipe: some CompanionRecipe, of segment: LibrarySegment, _ library: Library
    ) -> Bool {
        !segment.isGrowing && recipe.isMissing(beside: segment, in: library)
            && library.mayPut(recipe.companion, beside: segment)
    }
}
