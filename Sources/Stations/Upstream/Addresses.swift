// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// A station's addresses, and which of them carry the station.
struct Addresses {
    var mirrors: MirrorList
    /// How the addresses are requested.
    var memory: RequestMemory
    /// Which of the addresses carry the station that plays.
    private var standIns: StandIns
    /// Whether any entry of a list may stand in for the one that plays, also another station.
    private let isAnyEntryAllowed: Bool
    /// The address that plays, or that played in an earlier run; nil if there is none.
    private var playing: String?
    /// Whether the station has been heard in this run.
    private var isHeard = false
    /// The list's entry that is the station; nil without a list, or before the first audio of all runs.
    private(set) var choice: ListChoice?
    /// The choice before the latest one.
    private var earlierChoice: ListChoice?
    /// The choice that the list has dropped, or that another station has replaced at the beginning of this run, until
    /// this is told.
    private var lostChoice: ListChoice?
    /// Whether the list has dropped the entry that was heard, so that any other entry may follow it.
    private var isDropped = false
    /// The order in which lists have named their entries. A list that is read again in another order changes nothing.
    private var order: [String: Int] = [:]

    private static let mostOrdered = 1_000

    init(
        _ urls: [String], options: [String: EntryOptions] = [:], allowsPrivateAddress: Bool = true,
        cookies: [String] = [], isAnyEntryAllowed: Bool = false, choice: ListChoice? = nil
    ) {
        memory = RequestMemory(cookies: cookies)
        mirrors = MirrorList(urls, options: options, allowsPrivateAddress: allowsPrivateAddress)
        standIns = StandIns(urls)
        self.isAnyEntryAllowed = isAnyEntryAllowed
        self.choice = isAnyEntryAllowed ? nil : choice
    }

    /// The target of an attempt.
    func target(_ attempt: ConnectionMachine.Attempt) -> Upstream.Target {
        var target = memory.target(mirrors[attempt.mirror], viaLastFinalURL: attempt.viaLastFinalURL)
        target.sendsHeaders = mirrors.isConfigured(originOf: target.url)
        return target
    }

    /// Settings for requesting the same file again, from a target that a station with these settings has reached.
    func settings(_ settings: StationSettings, reaching target: Upstream.Target) -> StationSettings {
        var reached = settings
        (reached.urls, reached.options) = ([target.url], [target.url: target.options])
        reached.allowsPrivateAddress = target.allowsPrivateAddress
        if !mirrors.isConfigured(originOf: target.url) { (reached.headers, reached.socket) = ([], nil) }
        reached.fileBegin = nil
        reached.cookies = memory.cookies
        return reached
    }

    /// Learns from the end of an attempt how to request its address next time. Returns the failure, or nil if it ended
    /// properly. `wasHeard`: whether the station has ever delivered audio.
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
        case .misread(let failure):
            memory.trust.misread(mirror.url)
            return failure
        case .slipped(let failure):
            memory.trust.slipped(mirror.url, now)
            return failure
        }
    }

    /// Replaces an attempt's address, which led to a playlist, by the entries of the playlist. Returns false if the
    /// entries lead nowhere.
    mutating func follow(
        _ entries: [Playlist.Entry], _ upstream: Upstream, _ attempt: ConnectionMachine.Attempt, _ now: MonotonicInstant
    ) -> Bool {
        let list = mirrors[attempt.mirror].url
        guard
            mirrors.follow(
                playlistAt: attempt.mirror, entries: entries, isPeerPrivate: upstream.isPeerPrivate, at: now)
        else { return false }
        var groups: [(first: Int, urls: [String])] = []
        var titles: [String: String] = [:]
        if order.count + entries.count > Self.mostOrdered { order = [:] }
        let preferred = choice?.ordered(entries.map(\.url)) ?? entries.map(\.url)
        for url in preferred { order[url] = order[url] ?? order.count }
        for (index, entry) in entries.enumerated() {
            titles[entry.url] = entry.title
            if let group = groups.firstIndex(where: { $0.first == entry.mirrorOf }) {
                groups[group].urls.append(entry.url)
            } else {
                groups.append((index, [entry.url]))
            }
        }
        if let first = groups.firstIndex(where: { $0.urls.contains { $0 == preferred.first } }) {
            groups.swapAt(0, first)
        }
        standIns.listed(groups.map(\.urls), titles: titles, at: list)
        findChoice()
        return true
    }

    /// Looks for the choice among the entries of the list. If it is gone, the first entry that plays is the station.
    private mutating func findChoice() {
        guard let choice else { return }
        let urls = (0..<mirrors.count).map { mirrors[$0].url }
        if let found = choice.index(in: urls) {
            expect(urls[found], choice)
        } else if choice.isReached(from: urls) {
            expect(choice.addresses.last ?? "", choice)
        } else if isHeard, let renewed = urls.first(where: { standIns.standing(of: $0) == .same }) {
            order[renewed] = playing.flatMap { order[$0] }
            expect(renewed, choice)
        } else {
            (self.choice, earlierChoice, lostChoice, isDropped) = (nil, nil, choice, isHeard)
            if !isHeard {
                standIns.forgetPlaying()
                playing = nil
            }
        }
    }

    /// Treats an address as the one that plays.
    private mutating func expect(_ url: String, _ choice: ListChoice) {
        guard url != playing else { return }
        standIns.answered(url, name: choice.name)
        if playing == nil { standIns.plays(url) } else { standIns.matched(url) }
        playing = url
    }

    /// Unites the address with those whose servers send the same name of a station.
    mutating func answered(_ url: String, name: String?) { standIns.answered(url, name: name) }

    /// Counts the address as a stranger: its frames had nothing in common with what plays.
    mutating func isStranger(_ url: String) { standIns.isStranger(url) }

    /// Counts an address as an opener: it has brought a file that its list plays before the station.
    mutating func playedOpener(_ url: String) {
        standIns.playedOpener(url)
        (choice, playing, isHeard) = (earlierChoice, nil, false)
        findChoice()
    }

    /// Whether a file was played before the station.
    var hasOpener: Bool { standIns.hasOpener }

    /// Makes an address the one that plays. `name`: the name that its server sends. `isMatch`: whether its frames equal
    /// frames that were delivered.
    mutating func plays(_ url: String, name: String?, isMatch: Bool) {
        // The frames of an earlier run are not compared: without other evidence, this is another station.
        if !isHeard, let choice, standIns.standing(of: url) != .same { lostChoice = choice }
        // Some lists have other addresses each time.
        if !isHeard, let lost = lostChoice, StandIns.areEqual(lost.name, name) { lostChoice = nil }
        if isMatch { standIns.matched(url) } else { standIns.plays(url) }
        (playing, isHeard, isDropped) = (url, true, false)
        let via = mirrors.playlists(before: url)
        guard !isAnyEntryAllowed, !via.isEmpty else { return }
        let before = (0..<mirrors.count).map { mirrors[$0].url }.filter(isBetter)
        let new = ListChoice(addresses: via.dropFirst() + [url], name: name, before: before)
        if new != choice { (choice, earlierChoice) = (new, choice) }
    }

    /// The name of the station that should play: what its server sends, or else its address.
    var chosenName: String? { choice.flatMap { $0.name ?? $0.addresses.last } }

    /// Returns the choice that the list has dropped, or that another station has replaced, once.
    mutating func takeLostChoice() -> ListChoice? { lostChoice.take() }

    /// What each address may be tried for.
    var standings: [ConnectionMachine.MirrorStanding] {
        let current = playing.flatMap { mirrors.index(of: $0) }
        return (0..<mirrors.count).map { index in
            let url = mirrors[index].url
            let isBetter = current.map { isEntry(index, before: $0) } ?? false
            let mayPlay =
                isAnyEntryAllowed || isDropped || isBetter || mirrors[index].via.isEmpty
                || standIns.standing(of: url) != .other
            return ConnectionMachine.MirrorStanding(
                mayBeTried: mayPlay && !standIns.isOpener(url), isBetter: isBetter)
        }
    }

    /// Which proof a connection to an address needs that it carries the station that plays. `isReturning`: whether the
    /// hedge tries a better entry while another one plays. `isRenamed`: whether the address answers as another stream
    /// than the one that plays.
    func proof(
        of url: String, for role: ConnectionMachine.Role, isReturning: Bool, isRenamed: Bool
    ) -> Joint.Proof {
        let standing = standIns.standing(of: url)
        // If nothing was heard in this run, an entry before the one that played earlier is the station.
        let isSame = standing == .same && !isRenamed || !isHeard && mayChangeStation(url)
        switch role {
        // If a better entry fails while another one plays, nothing is lost with the frames that it holds.
        case .hedge where isReturning: return isSame || !mayChangeStation(url) ? .needed : .wanted
        case .hedge: return isSame ? .given : .needed
        case .first where isSame: return .given
        case .first where standing == .same: return .renamed
        case .first: return mayChangeStation(url) ? .wanted : .needed
        }
    }

    /// Whether an answer is another stream than the one that plays: the same address sends another name, or leads to a
    /// stream with another name, or a file takes the place of a station, or the other way round.
    func isRenamed(_ url: String, _ answer: StationInfo, _ current: StationInfo) -> Bool {
        let (new, old) = (answer.identity, current.identity)
        guard new != old, new != .unknown, old != .unknown else { return false }
        let isLedTo = mirrors.playlists(before: url).contains { $0 == playing }
        return url == playing || isLedTo || new == .file || old == .file
    }

    /// Whether an address leads to another station, to which the programme may not change. The user's own addresses are
    /// asked in any case, because they may answer with a list.
    func isRefused(_ url: String) -> Bool {
        let isUsers = mirrors.index(of: url).map { mirrors[$0].via.isEmpty } ?? false
        return !isUsers && standIns.standing(of: url) == .other && !mayChangeStation(url)
    }

    /// Whether an address may change the station that plays, because it comes before it in their list, or because the
    /// user allows any entry.
    private func mayChangeStation(_ url: String) -> Bool {
        !mirrors.playlists(before: url).isEmpty && (isAnyEntryAllowed || isDropped || isBetter(url))
    }

    /// Whether an address comes before the one that plays in their list.
    func isBetter(_ url: String) -> Bool {
        guard let index = mirrors.index(of: url), let current = playing.flatMap({ mirrors.index(of: $0) }) else {
            return false
        }
        return isEntry(index, before: current)
    }

    private func isEntry(_ index: Int, before other: Int) -> Bool {
        guard let list = mirrors[index].via.first, list == mirrors[other].via.first else { return false }
        let places = [index, other].map { order[mirrors[$0].url] ?? $0 }
        return places[0] < places[1]
    }

    /// Which entry of a list an address is. Files that the list plays first do not count.
    func entry(_ index: Int) -> StationInfo.Entry? { mirrors.entry(index, isLeftOut: standIns.isOpener) }

    /// Whether other entries of the address's list are left to try.
    func leadsOn(from url: String) -> Bool {
        guard let index = mirrors.index(of: url), mirrors.entry(index) != nil else { return false }
        return (0..<mirrors.count).contains { $0 != index && !standIns.isOpener(mirrors[$0].url) }
    }
}
