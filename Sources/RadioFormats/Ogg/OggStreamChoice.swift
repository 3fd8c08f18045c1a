// SPDX-License-Identifier: MIT

/// Which of a link's logical streams is framed: of those whose codec is known, the first whose data comes. A value.
struct OggStreamChoice {
    /// Whose page it is, where the page begins no stream.
    enum Place {
        /// The page of a stream whose codec is known, and which is chosen now; `after` is the number of its first page.
        case chosen(any OggMapping, after: UInt32)
        case ours
        /// Another stream's of this link.
        case other
        /// Of a stream whose beginning was lost, or that cannot be decoded.
        case stranger
    }

    private struct Candidate {
        var serial: UInt32
        var sequence: UInt32
        var mapping: any OggMapping
    }

    private enum State {
        case none
        /// The first pages of logical streams come: those whose codec is known.
        case beginning([Candidate])
        case chosen(serial: UInt32)
    }

    /// Logical streams side by side that are told apart.
    private static let maximumStreams = 16

    private var state = State.none
    /// Serials of this link's other streams, whose pages are no surprise.
    private var others: Set<UInt32> = []

    /// A stream begins with this page; nil for a codec that is not known. Returns whether a new link begins.
    mutating func begin(_ page: OggPage, _ mapping: (any OggMapping)?) -> Bool {
        var candidates: [Candidate] = []
        var isNewLink = true
        if case .beginning(let earlier) = state {
            candidates = earlier.filter { $0.serial != page.serial }
            isNewLink = false
        } else {
            others = []
        }
        if let mapping, candidates.count < Self.maximumStreams {
            candidates.append(Candidate(serial: page.serial, sequence: page.sequence, mapping: mapping))
        }
        if others.count < Self.maximumStreams { others.insert(page.serial) }
        state = .beginning(candidates)
        return isNewLink
    }

    /// A page that begins no stream.
    mutating func place(_ page: OggPage) -> Place {
        switch state {
        case .none:
            return .stranger
        case .beginning(let candidates):
            guard let found = candidates.first(where: { $0.serial == page.serial }) else {
                return candidates.isEmpty ? .stranger : .other
            }
            state = .chosen(serial: page.serial)
            others.remove(page.serial)
            return .chosen(found.mapping, after: found.sequence)
        case .chosen(let serial):
            return page.serial == serial ? .ours : others.contains(page.serial) ? .other : .stranger
        }
    }

    /// The chosen stream cannot be decoded.
    mutating func forget() { state = .none }
}
