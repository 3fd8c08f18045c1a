// SPDX-License-Identifier: MIT

package import RadioFormats

/// How a source behaves in time.
package enum SourceKind: String, Hashable, Sendable {
    /// A source that sends in real time, cannot be paused, and never ends by itself.
    case live
    /// A file: it follows media time, can be paused and resumed, and its end is a success.
    case finite
}

/// What a station says about itself in its response, cleaned for display.
package struct StationInfo: Hashable, Sendable {
    package var kind: SourceKind
    /// The name that the user gave, else `icy-name`, else host and path of the URL.
    package var name: String
    /// Whether ``name`` was made of the URL, because nobody gave one. Listeners must not see it then, because it tells
    /// which machines there are in the user's network.
    package var isNamedByURL = false
    /// The entry of a list from which the audio comes; nil without a list, or if the list has one entry only.
    package var entry: Entry?
    /// How often the programme has changed to another station before.
    package var changes = 0
    /// Whether another station, of the list or at the same address, stands in for the one that played. It then has its
    /// own name, not the name that the user gave.
    package var standsIn = false
    package var genre: String?
    package var about: String?
    package var homepage: String?
    /// `icy-br` in kbit/s; nil if it is not a number.
    package var declaredBitRate: Int?
    package var server: String?
    package var contentType: String?
    /// The URL at the end of all redirects, from which the audio comes, without credentials and query string.
    package var url: String
    /// `icy-metaint`: the number of bytes of audio between two title blocks.
    package var metadataInterval: Int?
    /// How the audio arrives if it comes in lumps; nil if it arrives all the time.
    package var lumps: AudioLumps?
    /// `Content-Length`, for a file.
    package var length: Int64?
    /// For a file: which of the decoded samples are to be played; nil if all are to be played, or if this is unknown.
    package var trim: GaplessTrim?
    /// All `icy-*` and `ice-*` fields, names in lower case, in order.
    package var icyFields: [Field]

    /// A place in a list.
    package struct Entry: Hashable, Sendable {
        /// The number of the entry, from 1.
        package var number: Int
        /// The number of entries in the list.
        package var count: Int

        package init(number: Int, count: Int) {
            (self.number, self.count) = (number, count)
        }
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(kind: SourceKind, name: String, url: String, icyFields: [Field] = []) {
        self.kind = kind
        self.name = name
        self.url = url
        self.icyFields = icyFields
    }

    /// The name that the station's server sends; nil if it sends none, or only a placeholder.
    package var icyName: String? { icyFields.first { $0.name == "icy-name" }.flatMap { StationName.own($0.value) } }

    /// What tells the streams of one address apart.
    package enum Identity: Hashable, Sendable {
        /// A station whose server sends this name, in lower case.
        case named(String)
        /// A file, which has a length and no field of a radio server.
        case file
        case unknown
    }

    /// Whether the response announced the length of a file.
    package var hasLength: Bool { length.map((1..<ContentLength.endless).contains) ?? false }

    package var identity: Identity {
        if icyFields.isEmpty, hasLength { return .file }
        return icyName.map { .named($0.lowercased()) } ?? .unknown
    }

    /// Whether two answers are of one station, by what their servers say: the same name or, without a name, the same
    /// address.
    package func isStation(of other: StationInfo) -> Bool {
        if case .named = identity { return identity == other.identity }
        return identity == other.identity && url == other.url
    }

    /// The station's name if the user had given it none.
    package var ownName: String { StationName.choose(given: nil, icyName: icyName, url: url) }
}
