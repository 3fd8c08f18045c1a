// SPDX-License-Identifier: MIT

/// Which addresses of a station may stand in for the one that plays. A pure value.
///
/// A list may hold mirrors of one station, or several stations. Two addresses count as one station only with evidence:
/// the user names them together, the list puts them together, their servers send the same name, or frames of both were
/// equal. Without evidence, an address is another station.
package struct StandIns: Sendable {
    package enum Standing: Hashable, Sendable {
        /// The address belongs to the station that plays, or nothing has played yet.
        case same
        /// Nothing is known of the address yet. It may be asked, but what it sends needs evidence.
        case unknown
        /// The address belongs to another station.
        case other
    }

    /// The number of each address's station. Two stations become one, under one number, when evidence unites them.
    private var stations: [String: Int] = [:]
    /// The stations whose servers send a name, by that name.
    private var named: [String: Int] = [:] {
        didSet { namedStations = Set(named.values) }
    }
    private var namedStations: Set<Int> = []
    private var count = 0
    /// The address that plays; nil before the first audio.
    private var playing: String?
    /// Addresses whose frames had nothing in common with what plays.
    private var strangers: Set<String> = []
    /// The title that a list gives to an address.
    private var titles: [String: String] = [:]
    /// Addresses that a list plays first: files, such as adverts.
    private var openers: Set<String> = []

    /// A list may have new addresses each time it is read.
    private static let mostAddresses = 1_000
    /// A server may send a new name each time it is asked.
    private static let mostNames = 1_000

    /// Creates the value for addresses that the user named together.
    package init(_ addresses: [String]) {
        unite(addresses)
    }

    /// Whether an address belongs to the station that plays.
    package func standing(of address: String) -> Standing {
        guard let playing, address != playing, let current = stations[playing] else { return .same }
        let station = stations[address]
        if station == current { return .same }
        if strangers.contains(address) { return .other }
        // Two names that differ tell stations apart. An address or a station without a name can only prove itself.
        let areNamed = station.map(isNamed) == true && isNamed(current)
        if areNamed { return .other }
        return titles[address].map { $0 == titles[playing] } == true ? .same : .unknown
    }

    /// Whether any address was found to be such a file.
    package var hasOpener: Bool { !openers.isEmpty }

    /// Whether the address was found to be a file that a list plays first.
    package func isOpener(_ address: String) -> Bool { openers.contains(address) }

    private func isNamed(_ station: Int) -> Bool { namedStations.contains(station) }
}

// MARK: - Evidence

extension StandIns {
    /// Unites addresses as a list says: those of each group belong to one station. The first group is what the list's
    /// own address stands for, unless only the order of the list has changed. Two addresses with equal titles are one
    /// station, too, unless their servers send names that differ.
    package mutating func listed(_ groups: [[String]], titles: [String: String] = [:], at list: String) {
        makeRoom(for: groups.reduce(0) { $0 + $1.count })
        let isNew = groups.first?.allSatisfy { stations[$0] == nil } ?? false
        for (index, group) in groups.enumerated() { unite(index == 0 && isNew ? [list] + group : group) }
        for (address, title) in titles { self.titles[address] = StationName.own(title)?.lowercased() }
    }

    /// Unites the address with those whose servers send the same name of a station.
    package mutating func answered(_ address: String, name: String?) {
        let station = station(of: address)
        guard let name = name.flatMap(StationName.own)?.lowercased() else { return }
        if let known = named[name] { return join(station, into: known) }
        if named.count >= Self.mostNames { named = [:] }
        named[name] = station
    }

    /// Whether two names that servers send are those of one station.
    package static func areEqual(_ name: String?, _ other: String?) -> Bool {
        let names = [name, other].map { $0.flatMap(StationName.own)?.lowercased() }
        return names[0] != nil && names[0] == names[1]
    }

    /// Unites the address with the one that plays, because frames from both are equal.
    package mutating func matched(_ address: String) {
        guard let playing else { return }
        strangers.remove(address)
        join(station(of: address), into: station(of: playing))
        self.playing = address
    }

    /// Counts the address as a stranger: its frames had nothing in common with what plays.
    package mutating func isStranger(_ address: String) { strangers.insert(address) }

    /// Makes the address the one that plays, whatever played before.
    package mutating func plays(_ address: String) {
        if standing(of: address) != .same { strangers = [] }
        _ = station(of: address)
        playing = address
    }

    /// Forgets which address plays: the next one that plays is the station.
    package mutating func forgetPlaying() { (playing, strangers) = (nil, []) }

    /// Counts an address as an opener: a file, such as an advert, that the list plays before the station.
    package mutating func playedOpener(_ address: String) {
        openers.insert(address)
        if playing == address { playing = nil }
    }

    private mutating func unite(_ addresses: [String]) {
        guard let first = addresses.first else { return }
        let station = station(of: first)
        for address in addresses.dropFirst() { join(self.station(of: address), into: station) }
    }

    private mutating func station(of address: String) -> Int {
        if let station = stations[address] { return station }
        count += 1
        stations[address] = count
        return count
    }

    private mutating func join(_ station: Int, into other: Int) {
        guard station != other else { return }
        for (address, old) in stations where old == station { stations[address] = other }
        if isNamed(station) { named = named.mapValues { $0 == station ? other : $0 } }
    }

    /// Forgets everything but the station that plays, if too much is known.
    private mutating func makeRoom(for more: Int) {
        guard stations.count + more > Self.mostAddresses else { return }
        let current = playing.flatMap { stations[$0] }
        stations = stations.filter { $0.value == current && $0.key == playing }
        named = named.filter { $0.value == current }
        (strangers, openers, titles) = ([], [], [:])
    }
}
