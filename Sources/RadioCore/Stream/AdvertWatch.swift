// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Follows whether a station says that an advert is on air, and makes stretches of it. A value.
///
/// Titles and lists may say so. A stretch begins when one of them does, and ends when none does any more. All positions
/// are of the next frame.
package struct AdvertWatch: Sendable {
    /// What says that an advert is on air. Sidecars contain the raw value.
    package enum Teller: String, Hashable, Sendable {
        /// The title.
        case title
        /// A tag for breaks in a list, such as EXT-X-CUE-OUT.
        case cue
        /// A command of SCTE-35 in a list.
        case splice = "scte35"
        /// A date range in a list, by its class.
        case dateRange = "daterange"
    }

    /// Whether the title says so.
    package var isTitled = false
    /// What else says so.
    package var source: Teller?
    private var open: Open?

    private struct Open {
        let begin: Position
        let by: Teller
        /// Nil while unknown.
        var at: WallInstant?
        var sampleRate = 1
        /// Whether ``at`` may still be corrected.
        var isCorrectable = true
    }

    /// After a longer gap, what was said before it says nothing.
    private static let longestGap = Duration.seconds(60)

    package init() {}

    /// The stretch that begins or has ended, by what is said now; nil if nothing changes.
    package mutating func change(at position: Position, _ airTime: AirTime?) -> Stretch? {
        guard let source = source ?? (isTitled ? .title : nil) else { return pause(at: position, airTime) }
        guard open == nil else { return nil }
        open = Open(begin: position, by: source)
        return airTime.flatMap { place($0) }
    }

    /// The stretch that goes on, if its beginning gets a date or a better one from a map of its audio.
    package mutating func place(_ airTime: AirTime) -> Stretch? {
        guard var open, open.isCorrectable else { return nil }
        let at = airTime.instant(ofSample: open.begin.samples)
        let isNews = open.at != at
        (open.at, open.sampleRate, open.isCorrectable) = (at, airTime.sampleRate, !airTime.isSettled)
        self.open = open
        guard isNews else { return nil }
        var stretch = Stretch(.advert, frames: open.begin.frames..<open.begin.frames, at: at, length: .zero)
        (stretch.by, stretch.isOpen) = (open.by.rawValue, true)
        return stretch
    }

    /// Ends the stretch: samples are counted anew from here on, or nothing says that it goes on.
    package mutating func pause(at position: Position, _ airTime: AirTime?) -> Stretch? {
        if let airTime { _ = place(airTime) }
        guard let open = open.take(), let at = open.at, open.begin.frames < position.frames else { return nil }
        let length = Duration.samples(position.samples - open.begin.samples, at: open.sampleRate)
        var stretch = Stretch(.advert, frames: open.begin.frames..<position.frames, at: at, length: length)
        stretch.by = open.by.rawValue
        return stretch
    }

    /// Goes on behind a gap of this length, nil if unknown, with a new map. Returns the stretch if it has ended there.
    package mutating func skip(_ length: Duration?, at position: Position, _ airTime: AirTime?) -> Stretch? {
        guard let begin = open?.begin.frames else { return nil }
        if begin == position.frames {
            // What begins here was on air behind the gap.
            open?.at = nil
            open?.isCorrectable = true
            return nil
        }
        if let airTime { _ = place(airTime) }
        open?.isCorrectable = false
        if let length, length <= Self.longestGap { return nil }
        (isTitled, source) = (false, nil)
        return pause(at: position, nil)
    }

    /// Audio is missing before a frame that was delivered. A new map follows.
    package mutating func miss(before frame: Int64) {
        if let begin = open?.begin.frames { open?.isCorrectable = begin >= frame }
    }
}
