// SPDX-License-Identifier: MIT

/// The relays that get their audio from a mount, directly or through others: a value.
struct Downstream {
    private var counts: [RelayID: Int] = [:]

    mutating func add(_ hops: [RelayID]) {
        for hop in hops { counts[hop, default: 0] += 1 }
    }

    mutating func remove(_ hops: [RelayID]) {
        for hop in hops {
            let left = counts[hop, default: 1] - 1
            counts[hop] = left == 0 ? nil : left
        }
    }

    /// What a request says that is made for all of them: their numbers, as many as there is room for, and the relay's
    /// own.
    func via(_ own: RelayID) -> String {
        RelayID.via(counts.keys.prefix(RelayID.mostHops - 1).filter { $0 != own } + [own])
    }
}
