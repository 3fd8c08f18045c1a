// SPDX-License-Identifier: MIT

/// What is heard, as a place in the programme, and how much has been heard. A value.
struct HeardPlace {
    /// Nil until anything is heard of where playing goes on.
    private(set) var place: Duration?
    /// The position in its item that was jumped to, as long as nothing of it is heard.
    private(set) var sought: Duration?
    private(set) var total = Duration.zero

    /// It is heard up to a place; also where that is told of late.
    mutating func advance(to heard: Duration) {
        if let place, heard > place { total += heard - place }
        (place, sought) = (heard, nil)
    }

    /// What is heard next is at another place, of which a position in its item may be known.
    mutating func jump(to position: Duration? = nil) { (place, sought) = (nil, position) }
}
