// SPDX-License-Identifier: MIT

/// What the addresses of a command line turn out to be: mirrors of one station, files, or a list of items. A value.
///
/// It is decided by what comes, so that a station is heard without a request more than it takes: what is live is a
/// station, and its addresses are mirrors; a file among several addresses, or behind a playlist of several entries, is
/// one item of a queue; and what is no audio at all may be a list that only a queue can read, such as a feed.
struct SourceGuess {
    enum Verdict: Hashable {
        case undecided
        /// What is there is played as it is.
        case asItIs
        /// Each address is an item.
        case addressesAreItems
        /// The address is that of a list, which is to be fetched.
        case isList
    }

    let addresses: [String]
    private(set) var isSettled = false
    /// Entries of a playlist that the address led to.
    private var entries = 0

    init(_ addresses: [String]) {
        self.addresses = addresses
    }

    /// The same, and nothing more is to be decided.
    var settled: SourceGuess {
        var copy = self
        copy.isSettled = true
        return copy
    }

    mutating func followedPlaylist(_ entries: Int) { self.entries = max(self.entries, entries) }

    /// The connection brings audio: of a file (`isFinite`) or of a live station.
    mutating func connected(isFinite: Bool) -> Verdict {
        guard !isSettled else { return .undecided }
        isSettled = true
        guard isFinite else { return .asItIs }
        if addresses.count > 1 { return .addressesAreItems }
        return entries > 1 ? .isList : .asItIs
    }

    /// Whether it depends on what comes if what comes is to be heard.
    var isOpen: Bool { !isSettled && (addresses.count > 1 || entries > 1) }

    /// Whether what is no audio would be looked at as a list.
    var mayBeList: Bool { !isSettled && addresses.count == 1 }

    /// What comes is no audio.
    mutating func isNoAudio() -> Verdict {
        guard mayBeList else { return .undecided }
        isSettled = true
        return .isList
    }
}
