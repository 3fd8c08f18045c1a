// SPDX-License-Identifier: MIT

/// A server of HLS: one or more variants of a live station, what leads to them, and what goes wrong.
///
///     let script = HLSScript(HLSRendition(programme, .packed, window: 8), faults: [
///         .segments({ $0.number % 10 == 0 }, first: 2, .status(404)),
///     ])
///     let origin = VirtualOrigin(hosts: ["radio.test": script.live(in: reactor)], reactor: reactor)
///     // … http://radio.test/live.m3u8 …
///
/// | path | what |
/// |---|---|
/// | `/live.m3u8` | the list of the first variant |
/// | `/master.m3u8` | the list of all variants |
/// | `/NAME/list.m3u8` | the list of a variant; its segments are beside it |
/// | `/station.m3u8` | a redirect to ``door``, with a token if there is a ``gate`` |
///
/// The answer to a request depends on the time, the request, and how often the same path was requested before. All
/// times are times of the programme, which has been on air for ``onAir`` when the origin starts.
package struct HLSScript: Sendable {
    package var variants: [HLSVariant]
    package var faults: [HLSFault]
    /// How long the programme has been on air when the origin starts.
    package var onAir = Duration.seconds(60)
    /// Where `/station.m3u8` leads, by how often it was requested before: a path, or a URL of another server. The
    /// token is appended.
    package var door: @Sendable (Int) -> String = { _ in "/live.m3u8" }
    package var gate: Gate?
    /// Whether lists are compressed for clients that accept it.
    package var compresses = true
    package var ranges = RangeManner.sent
    /// The periods in which the server is unavailable, in times of the programme.
    package var absences: [LiveScript.Absence] = []

    /// Tokens: what is requested without one that lives is forbidden (403). A token states when it was issued, so that
    /// mirrors with the same gate accept it.
    package struct Gate: Sendable {
        package var lifetime = Duration.seconds(1 << 30)
        /// The times at which all tokens issued so far become invalid.
        package var deaths: [Duration] = []
        /// How many requests for segments a token is good for.
        package var uses = Int.max
        /// Whether the token comes and goes as a cookie, instead of in the query.
        package var usesCookie = false
        /// Whether segments want the token, too.
        package var guardsSegments = false

        package init(_ change: (inout Gate) -> Void = { _ in }) { change(&self) }
    }

    /// What the server does with requests for ranges.
    package enum RangeManner: Sendable, CaseIterable {
        case sent
        /// Bodies have a date instead of a tag.
        case dated
        /// Bodies have a weak tag.
        case weak
        /// Bodies have another tag at each request.
        case changed
        /// The whole body comes.
        case ignored
        /// There is no such range (416).
        case refused
        /// The part states that it begins a byte later.
        case misplaced
    }

    package init(_ variants: [HLSVariant], faults: [HLSFault] = []) {
        (self.variants, self.faults) = (variants, faults)
    }

    package init(_ rendition: HLSRendition, faults: [HLSFault] = []) {
        self.init([HLSVariant("a", rendition)], faults: faults)
    }

    /// The same script with changes.
    package func with(_ change: (inout HLSScript) -> Void) -> HLSScript {
        var copy = self
        change(&copy)
        return copy
    }
}

/// A variant of a station: a media playlist in a master playlist.
package struct HLSVariant: Sendable {
    package let name: String
    package let rendition: HLSRendition
    /// The attributes of its `EXT-X-STREAM-INF`.
    package var attributes = "BANDWIDTH=131072,CODECS=\"mp4a.40.2\""

    package init(_ name: String, _ rendition: HLSRendition, attributes: String? = nil) {
        (self.name, self.rendition) = (name, rendition)
        if let attributes { self.attributes = attributes }
    }
}

/// What a server of HLS remembers, and what has happened.
package struct HLSRecord: Sendable {
    /// A request and its answer.
    package struct Entry: Sendable {
        package let asked: HLSAsked
        package let target: String
        package let status: Int
        /// The number of bytes of the body that were sent.
        package let sent: Int
        /// What the list had, for the answer 200 to a list.
        package let listing: HLSListing?
    }

    package internal(set) var entries: [Entry] = []
    private var counts: [String: Int] = [:]

    package init() {}

    /// How often a path was requested before; counts this request.
    mutating func count(_ path: String) -> Int {
        defer { counts[path, default: 0] += 1 }
        return counts[path, default: 0]
    }

    /// The requests per segment that was fetched.
    package var requestsPerSegment: Double {
        let segments = entries.count { $0.asked.isSegment && $0.status < 300 }
        return segments == 0 ? 0 : Double(entries.count) / Double(segments)
    }
}
