// SPDX-License-Identifier: MIT

/// What a server does wrong, and at which requests.
///
///     // Each third segment is missing at its first two requests.
///     .segments({ $0.number % 3 == 0 }, first: 2, .status(404))
///     // The list stands still for ten seconds.
///     .list(during: .seconds(80)..<(.seconds(90)), .frozen(at: .seconds(80)))
///     // For twenty seconds, nothing works.
///     .everything(during: .seconds(80)..<(.seconds(100)), .status(503))
package struct HLSFault: Sendable {
    package enum Effect: Sendable {
        /// An error; `wait`: the seconds that `Retry-After` states.
        case status(Int, wait: Int? = nil)
        /// The body ends after this part of it; `isStated`: whether the head states the whole length.
        case cut(part: Double, isStated: Bool)
        /// The body takes this long.
        case slow(Duration)
        /// The head comes only after this time.
        case late(Duration)
        /// The connection is closed without an answer.
        case hangUp
        /// The list is that of this long ago: an edge of a CDN that is behind.
        case stale(Duration)
        /// The list is that of a fixed time.
        case frozen(at: Duration)
        /// The body is this one.
        case body([UInt8], type: String)
    }

    package let strikes: @Sendable (HLSAsked) -> Bool
    package let effect: Effect

    package init(_ effect: Effect, _ strikes: @escaping @Sendable (HLSAsked) -> Bool) {
        (self.effect, self.strikes) = (effect, strikes)
    }

    /// A fault of the first `count` requests of some segments.
    package static func segments(
        _ which: @escaping @Sendable (HLSSegment) -> Bool, first count: Int = .max, _ effect: Effect
    ) -> HLSFault {
        HLSFault(effect) { asked in asked.count < count && asked.segment.map(which) ?? false }
    }

    /// A fault of the lists for a while.
    package static func list(during span: Range<Duration>, _ effect: Effect) -> HLSFault {
        HLSFault(effect) { $0.isList && span.contains($0.time) }
    }

    /// A fault of each request for a while.
    package static func everything(during span: Range<Duration>, _ effect: Effect) -> HLSFault {
        HLSFault(effect) { span.contains($0.time) }
    }
}
