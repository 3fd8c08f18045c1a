// SPDX-License-Identifier: MIT

package import CurlClient
package import RadioCore
package import RadioFormats

/// How to reach a station and what to call it.
package struct StationSettings: Sendable, Hashable {
    /// The addresses of one programme's mirrors, in order of preference; at least one.
    package var urls: [String]
    /// How to request those addresses for which something was said: by a list, or behind a bar in the address.
    package var options: [String: EntryOptions] = [:]
    /// The user's name for the station; nil to use the station's own.
    package var name: String?
    package var userAgent: String
    /// Extra request header fields.
    package var headers: [Header]
    /// The charset of titles that are not UTF-8; nil means Windows-1252.
    package var charset: Charset?
    /// The path of a file of certificates to trust instead of the system's.
    package var caFile: String?
    /// The proxy to use; nil for none. The environment's proxy is never used.
    package var proxy: ProxyAddress?
    /// The Unix socket to connect to instead of a host; nil for none.
    package var socket: String?
    /// The file with the passwords of hosts; nil for none.
    package var netrc: NetrcFile?
    /// How long to wait for a frame before giving up; nil to wait forever.
    package var giveUp: Duration?
    /// Whether a response may be treated as a finite file.
    package var allowsFinite: Bool
    /// Whether a body that is sent twice unchanged counts as a file, so that the programme ends. True for playback.
    /// False for a recording, which waits for the station, because the station may repeat an announcement while it is
    /// off the air.
    package var endsWhereRepeated = false
    /// Whether any response with a length counts as a file, even if its server offers no range requests.
    package var takesLengthForFile = false
    /// Time limits for each step of a connection up to the first audio.
    package var limits = ConnectionMachine.Limits()
    /// Whether hosts may lie in a private network: true for the user's addresses, false for those from an external
    /// list.
    package var allowsPrivateAddress = true
    /// Where in a file to begin; nil for its start. A response that does not prove to begin there is not used.
    package var fileBegin: FileBegin?
    /// Cookies of earlier responses to the same user. They are kept in memory only.
    package var cookies: [String] = []
    /// Whether another station of a list may stand in for the one that plays.
    package var takesAnyEntry = false
    /// The entry of the list that was the station in an earlier run.
    package var choice: ListChoice?
    /// Which variant of a station in HLS to take.
    package var variant = VariantWish.best
    /// The addresses at which to look for the audio of gaps: longer HLS lists of the same programme, and relays of it
    /// by other Airchecks.
    package var healing: [String] = []
    /// The seed for the jitter of the delays between attempts.
    package var seed: UInt64

    /// Whether a second connection may be opened beside a connection that has stalled or brings no audio.
    package var mayHedge = true

    /// Whether two connections may be open at once. False with credentials, because their user may be allowed only one
    /// connection.
    var allowsHedge: Bool {
        guard mayHedge else { return false }
        return !urls.contains(where: hasCredentials) && !headers.contains { $0.name.lowercased() == "authorization" }
    }

    /// Whether requests to this address carry a user's password, either from the address or from the file of passwords.
    func hasCredentials(for url: String) -> Bool {
        URLReference(url).hasUser || netrc?.mayName(hostOf: url) == true
    }

    package struct Header: Sendable, Hashable {
        package var name: String
        package var value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates settings. Options behind a bar in an address (`http://…|Referer=…`) are taken from the address.
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
        setURLs(urls)
    }

    /// Sets the addresses, with the options behind a bar in them.
    package mutating func setURLs(_ texts: [String]) {
        let split = texts.map(EntryOptions.split)
        urls = split.map(\.address)
        options = Dictionary(split.lazy.filter { !$0.options.isEmpty }.map { ($0.address, $0.options) }) { $1 }
    }
}
