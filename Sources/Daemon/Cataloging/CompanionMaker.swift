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
    private let thread = try? JobThread(name: "companions", most: 100_000, isPatient: true)
    /// The companions that stations have beside those of all stations.
    private let chosen = Monitor<[String: Set<Companion>]>([:])

    /// The end of what grows with a file is written a little later than the file's.
    private static let pause = Duration.seconds(3)

    /// `run` runs work where files are deleted, so that none is deleted while a companion is written beside it.
    init(_ library: Library, run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        (self.library, self.run) = (library, run)
    }

    /// Makes the companions that these stations have, from now on.
    func use(_ stations: [StationConfiguration]) {
        chosen.withLock { $0 = Dictionary(stations.map { ($0.id, $0.companions) }) { first, _ in first } }
    }

    /// Looks at a file that was found in the library, soon.
    func note(_ segment: LibrarySegment) {
        if segment.audio != nil, !segment.isGrowing { note(segment.path, of: segment.sidecar?.stationID, isNew: false) }
    }

    /// Looks at a file soon, given its path below the recordings folder. `isNew`: whether it was just finished. Any
    /// thread may call this.
    func note(_ path: [String], of station: String?, isNew: Bool) {
        guard let station else { return }
        _ = thread?.run { [library, run, chosen, weak thread] in
            let chosen = chosen.withLock { $0[station] ?? [] }
            for recipe in CompanionRecipes.all
            where recipe.companion.option == nil || chosen.contains(recipe.companion) {
                guard let segment = library.segment(at: path), Self.mayMake(recipe, of: segment, library),
                    !isNew || thread?.rest(for: Self.pause) == true && Self.mayMake(recipe, of: segment, library),
                    let bytes = recipe.make(of: segment, in: library)
                else { continue }
                run { library.put(bytes, as: recipe.companion, beside: segment) }
            }
        }
    }

    private static func mayMake(
        _ recipe: any CompanionRecipe, of segment: LibrarySegment, _ library: Library
    ) -> Bool {
        !segment.isGrowing && recipe.isMissing(beside: segment, in: library)
            && library.mayPut(recipe.companion, beside: segment)
    }
}
