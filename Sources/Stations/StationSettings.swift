// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats

/// How to reach a station and what to call it.
package struct StationSettings: Sendable, Hashable {
    /// Mirrors of one programme, in order of preference; at least one.
    package var urls: [String]
    /// The user's name for it; nil takes what the station calls itself.
    package var name: String?
    package var userAgent: String
    /// Extra request header fields.
    package var headers: [Header]
    /// Charset of titles that are not UTF-8; nil is Windows-1252.
    package var charset: Charset?
    /// A file of certificates to trust instead of the system's.
    package var caFile: String?
    /// The station gives up after this time without one frame; with nil it never does.
    package var giveUp: Duration?
    /// Whether a response may be a file (a `record` without a schedule).
    package var allowsFinite: Bool
    /// Whether a body that comes twice the same is a file's, and ends the programme: true for who plays it. Who records
    /// waits for a station, which may send a notice again and again while it is off the air.
    package var endsWhereRepeated = false
    /// Whether a response that announces its length is a file, also where its server sends no part of it by itself.
    package var takesLengthForFile = false
    /// How long each step to the audio may take.
    package var limits = ConnectionMachine.Limits()
    /// Whether the hosts of the addresses may lie in our own network: yes for what the user named, no for what a list
    /// from outside names.
    package var allowsPrivateAddress = true
    /// Where a file begins; nil at its start. What does not prove that it begins there is no audio.
    package var fileBegin: FileBegin?
    /// Seed of the jitter.
    package var seed: UInt64

    /// Whether a second connection may be opened beside one that has stalled, or hangs.
    package var mayHedge = true

    /// Whether there may be two connections at once: not with credentials, whose user may be allowed only one.
    var allowsHedge: Bool {
        guard mayHedge else { return false }
        let hasCredentials = urls.contains { URLReference($0).hasUser }
        return !hasCredentials && !headers.contains { $0.name.lowercased() == "authorization" }
    }

    package struct Header: Sendable, Hashable {
        package var name: String
        package var value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        urls: [String], name: String? = nil, userAgent: String, headers: [Header] = [], charset: Charset? = nil,
        caFile: String? = nil, giveUp: Duration? = nil, allowsFinite: Bool = true, seed: UInt64 = 0
    ) {
        self.urls = urls
        self.name = name
        self.userAgent = userAgent
        self.headers = headers
        self.charset = charset
        self.caFile = caFile
        self.giveUp = giveUp
        self.allowsFinite = allowsFinite
        self.seed = seed
    }
}
