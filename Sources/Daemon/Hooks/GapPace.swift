// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore

/// How often hooks are told of gaps: a station that breaks off every few seconds is no reason to run a program each
/// time. A value.
///
/// The first gap of a station, or of a show on it, is told at once. The gaps of the following ten minutes are told as
/// one event at their end, and so on until ten minutes pass without a gap.
struct GapPace {
    /// What a gap is in.
    private struct Place: Hashable {
        let station: String?
        let show: String?

        init(_ event: HookEvent) { (station, show) = (event.station, event.show) }
    }

    private struct Pause {
        var end: MonotonicInstant
        /// The gaps of the pause so far, as one event.
        var gathered: HookEvent?
    }

    private var pauses: [Place: Pause] = [:]

    static let pause = Duration.seconds(600)

    /// Returns the event if it is to be told now; nil if ``takeDue(at:)`` returns it later, with others.
    mutating func admit(_ event: HookEvent, at now: MonotonicInstant) -> HookEvent? {
        guard event.kind == .gap else { return event }
        let place = Place(event)
        guard let pause = pauses[place] else {
            pauses[place] = Pause(end: now + Self.pause)
            return event
        }
        pauses[place]?.gathered = pause.gathered?.followed(by: event) ?? event
        return nil
    }

    /// When the first pause ends; nil if there is none.
    var due: MonotonicInstant? { pauses.values.map(\.end).min() }

    /// Ends the pauses that are over, and returns their events in the order of their last gaps. Each event begins a new
    /// pause.
    mutating func takeDue(at now: MonotonicInstant) -> [HookEvent] {
        let over = pauses.filter { $0.value.end <= now }
        for (place, pause) in over {
            pauses[place] = pause.gathered == nil ? nil : Pause(end: now + Self.pause)
        }
        return Self.events(of: over)
    }

    /// Ends all pauses, and returns the events that they have gathered.
    mutating func takeAll() -> [HookEvent] {
        defer { pauses = [:] }
        return Self.events(of: pauses)
    }

    private static func events(of pauses: [Place: Pause]) -> [HookEvent] {
        pauses.values.compactMap(\.gathered).sorted { $0.at.instant < $1.at.instant }
    }
}

extension HookEvent {
    /// This event about gaps and a later gap as one event, with the time and the cause of the later one. Its length is
    /// unknown if that of any gap is.
    fileprivate func followed(by later: HookEvent) -> HookEvent {
        var both = later
        both.gaps = (gaps ?? 1) + (later.gaps ?? 1)
        both.seconds = if let seconds, let more = later.seconds { seconds + more } else { nil }
        return both
    }
}
