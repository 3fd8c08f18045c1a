// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// Where a station is to be found, and what was learned of that: a value.
struct Addresses {
    var mirrors: MirrorList
    /// Of what the addresses say of metadata.
    private var trust = TitleTrust()
    /// Where the redirects of the last connection ended, and whether that is in our own network.
    private var lastFinal: (url: String, isPrivate: Bool)?

    init(_ urls: [String], allowsPrivateAddress: Bool = true) {
        mirrors = MirrorList(urls, allowsPrivateAddress: allowsPrivateAddress)
    }

    /// What to connect to in an attempt.
    func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        let mirror = mirrors[attempt.mirror]
        var target = Upstream.Target(url: mirror.url, allowsPrivateAddress: mirror.allowsPrivateAddress)
        if attempt.viaLastFinalURL, let lastFinal {
            target = Upstream.Target(url: lastFinal.url, allowsPrivateAddress: lastFinal.isPrivate)
        }
        target.wantsMetadata = trust.wantsMetadata(from: mirror.url)
        target.believesHead = trust.believesHead(from: mirror.url)
        target.sendsHeaders = mirrors.isConfigured(originOf: target.url)
        return target
    }

    /// A connection has become the first one, or the first one has got its head.
    mutating func led(to upstream: Upstream) {
        lastFinal = upstream.movedTo.map { ($0, upstream.isPeerPrivate) }
    }

    /// The address of an attempt is a playlist: its entries take its place. False where that leads nowhere.
    mutating func follow(
        _ entries: [String], _ upstream: Upstream, _ attempt: ConnectionMachine.Attempt, _ now: MonotonicInstant
    ) -> Bool {
        mirrors.follow(
            playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate, at: now)
    }

    /// Learns from the end of an attempt. Returns the failure; nil for a proper end. `wasHeard`: the station was good
    /// once.
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
            // What a playlist or a redirect says is not the user's mistake.
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
}
