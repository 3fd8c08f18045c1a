// SPDX-License-Identifier: MIT

/// The place on the player's timeline that is being heard, and how much has been heard in all.
struct HeardPlace {
    /// Nil between a jump and the first sample heard after it.
    private(set) var place: Duration?
    /// The position in its item to which playback has jumped; nil once audio from there is heard.
    private(set) var sought: Duration?
    private(set) var total = Duration.zero

    /// Moves to the place up to which audio has been heard. In a late report, that may be before the last place.
    mutating func advance(to heard: Duration) {
        if let place, heard > place { total += heard - place }
        (place, sought) = (heard, nil)
    }

    /// Skips to a place: the audio before it does not count as heard.
    mutating func skip(to place: Duration) { self.place = place }

    /// Forgets the place at a jump: the next audio is at another place, at `position` in its item if that is known.
    mutating func jump(to position: Duration? = nil) { (place, sought) = (nil, position) }
}
