// SPDX-License-Identifier: MIT

import Analysis
import RadioCore
import Recorder
import Stations
import Storage

/// Levels are made of what a tap hears, or by decoding a file.
struct LevelsRecipe: CompanionRecipe {
    let companion = Companion.levels

    func begin(beside recorder: Recorder, of programme: Programme, _ context: UseContext) -> (any GrowingCompanion)? {
        do throws(Failure) {
            return try LevelFeed(to: recorder, of: programme, context)
        } catch {
            context.tell(.failed(error))
            return nil
        }
    }

    func isMissing(beside segment: LibrarySegment, in library: Library) -> Bool {
        guard let seconds = segment.sidecar?.seconds else { return false }
        let levels = library.bytes(of: companion, beside: segment).flatMap(Levels.init(bytes:))
        return levels?.areWhole(for: seconds) != true
    }

    func make(of segment: LibrarySegment, in library: Library) -> [UInt8]? {
        guard let file = try? library.frames(of: segment) else { return nil }
        return make(of: file, gaps: Set(segment.sidecar?.gaps.map(\.position) ?? []))
    }

    func make(of file: FrameFile, gaps: Set<Int64>) -> [UInt8]? { try? FileLevels.measure(file, gaps: gaps) }
}
