// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// A station's addresses, and what has been learned about them.
struct Addresses {
    var mirrors: MirrorList
    /// What is known about metadata from each address.
    private var trust = TitleTrust()
    /// The files that were found in place of a station, by their addresses.
    private var files: [String: FoundFile] = [:]
    /// The final URL of the last connection's redirects, and whether it lies in a private network.
    private var lastFinal: (url: String, isPrivate: Bool)?
    /// The cookies of the station's session, each of which is sent only to the site that set it.
    private var cookies: [String]

    private static let mostFiles = 1_000

    init(
        _ urls: [String], options: [String: EntryOptions] = [:], allowsPrivateAddress: Bool = true,
        cookies: [String] = []
    ) {
        self.cookies = cookies
        mirrors = MirrorList(urls, options: options, allowsPrivateAddress: allowsPrivateAddress)
    }

    /// The target of an attempt.
    func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        let mirror = mirrors[attempt.mirror]
        var target = Upstream.Target(url: mirror.url, allowsPrivateAddress: mirror.allowsPrivateAddress)
        if attempt.viaLastFinalURL, let lastFinal {
            target = Upstream.Target(url: lastFinal.url, allowsPrivateAddress: lastFinal.isPrivate)
        }
        target.options = mirror.options
        target.wantsMetadata = trust.wantsMetadata(from: mirror.url)
        target.believesHead = trust.believesHead(from: mirror.url)
        target.foundFile = files[mirror.url]
        target.cookies = cookies
        target.sendsHeaders = mirrors.isConfigured(originOf: target.url)
        return target
    }

    /// Settings for requesting the same file again, from a target that a station with these settings has reached.
    func settings(_ settings: StationSettings, reaching target: Upstream.Target) -> StationSettings {
        var reached = settings
        (reached.urls, reached.options) = ([target.url], [target.url: target.options])
        reached.allowsPrivateAddress = target.allowsPrivateAddress
        if !mirrors.isConfigured(originOf: target.url) { reached.headers = [] }
        reached.fileBegin = nil
        reached.cookies = cookies
        return reached
    }

    /// Keeps the cookies of a response for the station's further requests.
    mutating func keepCookies(of head: ResponseHead) { cookies = head.cookies }

    /// Notes where the first connection led. Call when a connection becomes the first connection, or when the first
    /// connection has received its head.
    mutating func led(to upstream: Upstream) {
        lastFinal = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
    }

    /// Replaces an attempt's address, which led to a playlist, by the entries of the playlist. Returns false if the
    /// entries lead nowhere.
    mutating func follow(
        _ entries: [Playlist.Entry], _ upstream: Upstream, _ attempt: ConnectionMachine.Attempt, _ now: MonotonicInstant
    ) -> Bool {
        mirrors.follow(
            playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate, at: now)
    }

    /// Notes how an attempt ended. Returns its failure, or nil if it ended properly. `wasHeard`: whether the station
    /// has ever delivered audio.
    mutating func learn(
        from end: UpstreamEnd, _ attempt: ConnectionMachine.Attempt, wasHeard: Bool, _ now: MonotonicInstant
    ) -> Failure? {
        let mirror = mirrors[attempt.mirror]
        switch end {
        case .complete:
            return nil
        case .playlist:
            return .playlistsWithoutEnd(at: AddressText(mirror.url).redacted)
        case .failed(var failure):
            // A bad URL from a playlist or redirect is not the user's mistake.
            let isUsers = !wasHeard && !attempt.viaLastFinalURL && mirror.via.isEmpty
            if failure.failureClass == .usage, !isUsers { failure.failureClass = .protocol }
            return failure
        case .noFile(let failure):
            return failure
        case .misread(let failure):
            trust.misread(mirror.url)
            return failure
        case .slipped(let failure):
            trust.slipped(mirror.url, now)
            return failure
        }
    }

    /// Notes the file that an attempt has brought in place of a station. Returns the failure.
    mutating func found(_ file: FoundFile, _ attempt: ConnectionMachine.Attempt) -> Failure {
        // A playlist may lead to new addresses each time, so the number of files is limited.
        if files.count >= Self.mostFiles { files = [:] }
        files[mirrors[attempt.mirror].url] = file
        return file.failure
    }
}
