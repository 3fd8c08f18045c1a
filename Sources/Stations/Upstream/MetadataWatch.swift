// SPDX-License-Identifier: MIT

import RadioFormats

/// Tells from the metadata blocks of one connection whether they are where the response head says. A value.
///
/// One wrong length byte misplaces everything after it: audio is swallowed as metadata, and metadata stays in the
/// audio. A block read from a wrong place contains audio. A block that begins like metadata and cannot be read proves
/// nothing, because some senders always send such blocks.
///
/// `docs/decisions/misplaced-metadata.md` gives the reasons for this rule.
struct MetadataWatch {
    enum Verdict: Hashable {
        /// Blocks were found in their places, but no longer are.
        case slipped
        /// Blocks have never been found in their places.
        case misread
    }

    /// Whether a block has been found in its place.
    private var wasFound = false
    /// The number of blocks so far that are probably audio.
    private var misplaced = 0

    /// As long as no block has been found, a single block that is only probably audio may be a sender's fault.
    private static let enough = 2

    /// Judges a block that is not empty, before the audio behind it is framed.
    mutating func judge(_ block: ICYMetadata) -> Verdict? {
        if block.isBeginning || block.reading == .wellFormed { wasFound = true }
        switch block.reading {
        case .audio: misplaced = Self.enough
        case .unreadable where !block.isBeginning: misplaced += 1
        case .unreadable, .loose, .empty, .wellFormed: return nil
        }
        if wasFound { return .slipped }
        return misplaced < Self.enough ? nil : .misread
    }
}
