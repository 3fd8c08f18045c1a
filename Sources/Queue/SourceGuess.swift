// SPDX-License-Identifier: MIT

/// What the addresses of a command line turn out to be: mirrors of one station, files, or a list of items.
///
/// The response decides, so that a station needs no extra request. If the response is a live stream, it is a station,
/// and the addresses are its mirrors. If it is a file, and there are several addresses or it comes from a playlist of
/// several entries, it is one item of a queue. A response without audio may be a list that only a queue can read, such
/// as a feed.
struct SourceGuess {
    enum Verdict: Hashable {
        case undecided
        /// The audio of this connection is what should play.
        case asItIs
        /// Each address is an item.
        case addressesAreItems
        /// The address is the address of a list, which must be read.
        case isList
    }

    let addresses: [String]
    private(set) var isSettled = false
    /// The number of entries in the longest playlist that the address led to.
    private var entries = 0

    init(_ addresses: [String]) {
        self.addresses = addresses
    }

    /// Takes everything for decided.
    mutating func settle() { isSettled = true }

    mutating func followedPlaylist(_ entries: Int) { self.entries = max(self.entries, entries) }

    /// Decides from a connection that delivers audio of a file (`isFinite`) or of a live station.
    mutating func connected(isFinite: Bool) -> Verdict {
        guard !isSettled else { return .undecided }
        isSettled = true
        guard isFinite else { return .asItIs }
        if addresses.count > 1 { return .addressesAreItems }
        return entries > 1 ? .isList : .asItIs
    }

    /// Whether audio that is arriving may turn out not to be the audio that should play.
    var isOpen: Bool { !isSettled && (addresses.count > 1 || entries > 1) }

    /// Whether a response without audio would be read as a list.
    var mayBeList: Bool { !isSettled && addresses.count == 1 }

    /// Decides from a response without audio.
    mutating func isNoAudio() -> Verdict {
        guard mayBeList else { return .undecided }
        isSettled = true
        return .isList
    }
}
