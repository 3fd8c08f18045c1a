// SPDX-License-Identifier: MIT

import RadioCore
import Storage

/// Found audio that waits until the file with its gap is complete. What has a copy on the disk takes memory only as
/// long as it is little. What does not fit stays missing.
struct WaitingAudio {
    /// In the order in which it was found.
    private var list: [FoundPiece] = []

    /// The limits: for a recording's audio in memory, for that of which there are copies, and for one gap.
    static let mostBytes = 16 << 20
    static let mostCopied = 1 << 20
    static let longestOfGap = Duration.seconds(3_600)

    var isEmpty: Bool { list.isEmpty }

    /// The size of the audio in memory.
    var bytes: Int { list.reduce(0) { $0 + $1.parts.reduce(0) { $0 + ($1.audio == nil ? 0 : $1.size) } } }

    /// Returns false if the audio cannot be kept.
    mutating func add(_ found: FoundAudio) -> Bool {
        let ofGap = list.reduce(Duration.zero) { $1.before == found.before ? $0 + $1.length : $0 }
        guard found.isPlausible, bytes + found.bytes.count <= Self.mostBytes,
            ofGap + found.length <= Self.longestOfGap
        else { return false }
        list.append(FoundPiece(found))
        return true
    }

    /// Puts back what was taken, before what was found later.
    mutating func putBack(_ taken: [FoundPiece]) { list.insert(contentsOf: taken, at: 0) }

    /// Calls `save` with what is only in memory. It returns where on the disk that will be.
    mutating func save(_ save: (FoundAudio, FoundPiece) -> SavedAudio.Copy?) {
        update { part, piece in
            if part.copy == nil, let audio = part.audio { part.copy = save(audio, piece) }
        }
    }

    /// A part of a file's companion is on the disk.
    mutating func copied(_ range: Range<Int64>, of file: FileID) {
        update { part, _ in
            if let copy = part.copy, copy.file == file, range.contains(copy.range) { part.copy?.isThere = true }
        }
        guard bytes > Self.mostCopied else { return }
        update { part, _ in if part.copy?.isThere == true { part.audio = nil } }
    }

    /// What belongs to a place, and is in memory, has no copy beside the right file.
    mutating func unsave(where isThere: (FoundPiece) -> Bool) {
        update { part, piece in if part.audio != nil, isThere(piece) { part.copy = nil } }
    }

    private mutating func update(_ body: (inout FoundPiece.Part, FoundPiece) -> Void) {
        for index in list.indices {
            var parts = list[index].parts
            list[index].parts = []
            for part in parts.indices { body(&parts[part], list[index]) }
            list[index].parts = parts
        }
    }

    func contains(where isThere: (FoundPiece) -> Bool) -> Bool { list.contains(where: isThere) }

    /// Takes what belongs to a place, in the order in which it is to be put in.
    mutating func take(where isThere: (FoundPiece) -> Bool) -> [FoundPiece] {
        let taken = list.filter(isThere)
        list.removeAll(where: isThere)
        return taken.joined
    }
}

extension FoundAudio {
    fileprivate var isPlausible: Bool {
        batch.byteCount == bytes.count
            && (batch.count == 0 ? continuesBefore && isContinuedAfter : length > .zero)
    }
}
