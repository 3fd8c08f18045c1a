// SPDX-License-Identifier: MIT

package import Decoding
package import RadioCore
package import Recorder
package import Stations
package import Storage

/// How a companion of recordings is made: while its audio is recorded, and again from a finished file.
///
/// A new companion is a case of `Companion`, and a recipe in a file like that of ``LevelsRecipe``.
package protocol CompanionRecipe: Sendable {
    var companion: Companion { get }
    /// Begins to make the companion while a programme is recorded from a place on; nil if the writer makes it, or if
    /// nothing can.
    func begin(
        beside recorder: Recorder, of programme: Programme, at place: JoinPlace, _ context: UseContext
    ) -> (any GrowingCompanion)?
    /// Whether a finished segment lacks the companion, or something in it that can still be made. Reads no audio.
    func isMissing(beside segment: LibrarySegment, in library: Library) -> Bool
    /// Makes the companion of a finished segment; nil if that is impossible. Reads all of the audio.
    func make(of segment: LibrarySegment, in library: Library) -> [UInt8]?
    /// Makes the companion of an exported file; nil if exports have none. `gaps`: the frames before which audio is
    /// missing.
    func make(of file: FrameFile, gaps: Set<Int64>) -> [UInt8]?
}

extension CompanionRecipe {
    package func begin(
        beside recorder: Recorder, of programme: Programme, at place: JoinPlace, _ context: UseContext
    ) -> (any GrowingCompanion)? { nil }

    package func make(of file: FrameFile, gaps: Set<Int64>) -> [UInt8]? { nil }
}

/// The recipes of all companions that can be made again.
package enum CompanionRecipes {
    package static let all: [any CompanionRecipe] = [IndexRecipe(), LevelsRecipe()]
}

/// The writer makes the index with the audio.
struct IndexRecipe: CompanionRecipe {
    let companion = Companion.index

    func isMissing(beside segment: LibrarySegment, in library: Library) -> Bool { library.lacksIndex(segment) }
    func make(of segment: LibrarySegment, in library: Library) -> [UInt8]? { library.index(of: segment) }
}

/// Reports that a companion is not made.
package enum CompanionReport: UseReport {
    /// The programme cannot be decoded.
    case cannotHear(Companion, DecodingError)
}
