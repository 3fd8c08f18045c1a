// SPDX-License-Identifier: MIT

/// The relays that get their audio from a mount, directly or through others: a value.
struct Downstream {
    /// Those that listen here themselves: the last hop of a request is whoever made it.
    private var direct = Counted()
    /// Those that listen to one of these.
    private var others = Counted()

    mutating func add(_ hops: [RelayID]) {
        if let last = hops.last { direct.add(last) }
        for hop in hops.dropLast() { others.add(hop) }
    }

    mutating func remove(_ hops: [RelayID]) {
        if let last = hops.last { direct.remove(last) }
        for hop in hops.dropLast() { others.remove(hop) }
    }

    /// What a request says that is made for all of them: their numbers, as many as there is room for, and the relay's
    /// own. Those that listen here themselves come first, and of these, and of the others, those that came first: which
    /// loops are refused is not left to chance.
    func via(_ own: RelayID) -> String {
        let near = direct.inOrder.filter { $0 != own }.prefix(RelayID.mostHops - 1)
        let room = RelayID.mostHops - 1 - near.count
        guard room > 0 else { return RelayID.via(near + [own]) }
        let far = others.inOrder.filter { $0 != own && !direct.contains($0) }
        return RelayID.via(near + far.prefix(room) + [own])
    }
}

/// Relays, each counted, in the order in which they came.
private struct Counted {
    private var entries: [RelayID: (count: Int, serial: Int)] = [:]
    private var lastSerial = 0

    mutating func add(_ relay: RelayID) {
        if entries[relay] == nil { lastSerial += 1 }
        entries[relay, default: (0, lastSerial)].count += 1
    }

    mutating func remove(_ relay: RelayID) {
        guard let entry = entries[relay] else { return }
        entries[relay] = entry.count > 1 ? (entry.count - 1, entry.serial) : nil
    }

    func contains(_ relay: RelayID) -> Bool { entries[relay] != nil }

    var inOrder: [RelayID] { entries.sorted { $0.value.serial < $1.value.serial }.map(\.key) }
}
