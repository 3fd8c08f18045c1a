// SPDX-License-Identifier: MIT

/// Chooses which of a link's logical streams is framed: the first one with a known codec that delivers data.
struct OggStreamChoice {
    /// The owner of a page that does not begin a stream.
    enum Owner {
        /// A stream with a known codec, which is chosen now; `after` is the number of its first page.
        case chosen(any OggMapping, after: UInt32)
        case ours
        /// Another stream of this link.
        case other
        /// A stream whose beginning was lost, or that cannot be decoded.
        case stranger
    }

    private struct Candidate {
        var serial: UInt32
        var sequence: UInt32
        var mapping: any OggMapping
    }

    private enum State {
        case none
        /// The first pages of logical streams are arriving. The candidates are the streams with a known codec.
        case beginning([Candidate])
        case chosen(serial: UInt32)
    }

    /// The maximum number of parallel logical streams that are tracked.
    private static let maximumStreams = 16

    private var state = State.none
    /// The serial numbers of this link's other streams: their pages are skipped without noting a loss.
    private var others: Set<UInt32> = []

    /// Takes the first page of a stream; `mapping` is nil for an unknown codec. Returns whether a new link begins.
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

    /// Finds the owner of a page that does not begin a stream; chooses the owner if no stream is chosen yet.
    mutating func owner(of page: OggPage) -> Owner {
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

    /// Gives up the chosen stream, which cannot be decoded.
    mutating func forget() { state = .none }
}
