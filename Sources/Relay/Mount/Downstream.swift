// SPDX-License-Identifier: MIT

/// The relays that get their audio from a mount, directly or through other relays.
struct Downstream {
    /// Relays that listen to this mount: the last hop of a request is the relay that made it.
    private var direct = Counted()
    /// Relays behind the direct ones.
    private var others = Counted()

    mutating func add(_ hops: [RelayID]) {
        if let last = hops.last { direct.add(last) }
        for hop in hops.dropLast() { others.add(hop) }
    }

    mutating func remove(_ hops: [RelayID]) {
        if let last = hops.last { direct.remove(last) }
        for hop in hops.dropLast() { others.remove(hop) }
    }

    /// The `Via` value of a request made for all of these relays: as many of their IDs as fit, then our own. Direct
    /// relays come first, and each group is in order of arrival, so that it is predictable which loops are refused.
    func via(_ own: RelayID) -> String {
        let near = direct.inOrder.filter { $0 != own }.prefix(RelayID.mostHops - 1)
        let room = RelayID.mostHops - 1 - near.count
        guard room > 0 else { return RelayID.via(near + [own]) }
        let far = others.inOrder.filter { $0 != own && !direct.contains($0) }
        return RelayID.via(near + far.prefix(room) + [own])
    }
}

/// A multiset of relays, in order of arrival.
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
