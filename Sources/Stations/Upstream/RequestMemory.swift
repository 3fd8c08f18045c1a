// SPDX-License-Identifier: MIT

import CurlClient

/// What earlier responses say about the next requests to a station. A value.
struct RequestMemory {
    /// What is known about metadata from each address.
    var trust = TitleTrust()
    /// The cookies of the station's session, each of which is sent only to the site that set it.
    private(set) var cookies: [String]
    /// The files that were found in place of a station, by their addresses.
    private var files: [String: FoundFile] = [:]
    /// The final URL of the last connection's redirects, and whether it lies in a private network.
    private var lastFinal: (url: String, isPrivate: Bool)?

    private static let mostFiles = 1_000

    init(cookies: [String]) {
        self.cookies = cookies
    }

    /// What to request for an address.
    func target(_ mirror: MirrorList.Mirror, viaLastFinalURL: Bool) -> Upstream.Target {
        var target = Upstream.Target(url: mirror.url, allowsPrivateAddress: mirror.allowsPrivateAddress)
        if viaLastFinalURL, let lastFinal { (target.url, target.allowsPrivateAddress) = lastFinal }
        target.options = mirror.options
        target.wantsMetadata = trust.wantsMetadata(from: mirror.url)
        target.believesHead = trust.believesHead(from: mirror.url)
        target.foundFile = files[mirror.url]
        target.cookies = cookies
        return target
    }

    /// Keeps the cookies of a response for the station's further requests. `sent`: those that its request brought.
    /// Another connection, which began earlier, may have brought others meanwhile.
    mutating func keepCookies(of head: ResponseHead, sent: [String]) {
        cookies = CookieLines.merged(cookies, sent: sent, head.cookies)
    }

    /// Keeps where the first connection led. Call when a connection becomes the first connection, or when the first
    /// connection has received its head.
    mutating func led(to upstream: Upstream) {
        lastFinal = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
    }

    /// Keeps the file that an address has brought in place of a station.
    mutating func found(_ file: FoundFile, at url: String) {
        // A playlist may lead to new addresses each time, so the number of files is limited.
        if files.count >= Self.mostFiles { files = [:] }
        files[url] = file
    }
}
