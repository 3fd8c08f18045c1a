// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore

/// Limits how often hooks are notified of gaps, so that a station that breaks off every few seconds does not cause a
/// program to run each time.
///
/// The first gap of a station, or of a show on it, is reported at once. The gaps of the following ten minutes are
/// reported as one event at the end of that time, and so on until ten minutes pass without a gap.
struct GapPace {
    /// The station, and the show if any, in which a gap occurred.
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

    /// Returns the event if it is to be reported now. Otherwise returns nil and keeps the event: ``takeDue(at:)`` will
    /// return it later, merged with others.
    mutating func admit(_ event: HookEvent, at now: MonotonicInstant) -> HookEvent? {
        guard event.name == .gap else { return event }
        let place = Place(event)
        guard let pause = pauses[place] else {
            pauses[place] = Pause(end: now + Self.pause)
            return event
        }
        pauses[place]?.gathered = pause.gathered?.followed(by: event) ?? event
        return nil
    }

    /// The events that wait.
    var gathered: [HookEvent] { Self.events(of: pauses) }

    /// When the earliest of the pauses ends; nil if there are no pauses.
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
        return gathered
    }

    private static func events(of pauses: [Place: Pause]) -> [HookEvent] {
        pauses.values.compactMap(\.gathered).sorted { $0.at.instant < $1.at.instant }
    }
}

extension HookEvent {
    /// This event merged with one that was told later; both are about gaps. The later one gives the time and the cause.
    /// The length is unknown if that of either gap is.
    fileprivate func followed(by later: HookEvent) -> HookEvent {
        var both = later
        both.gaps = (gaps ?? 1) + (later.gaps ?? 1)
        // Gaps are not always told in the order in which they occurred.
        both.from = [from, later.from].compactMap(\.self).min { $0.instant < $1.instant }
        both.until = [until, later.until].compactMap(\.self).max { $0.instant < $1.instant }
        both.date = date ?? later.date
        both.files = (files + later.files).unique
        let all = (all + later.all).unique
        (both.recording, both.recordings) = all.count == 1 ? (all.first, []) : (nil, all)
        both.seconds = if let seconds, let more = later.seconds { seconds + more } else { nil }
        return both
    }

    /// The IDs of all recordings that the event is about.
    private var all: [String] { recording.map { [$0] } ?? recordings }
}
