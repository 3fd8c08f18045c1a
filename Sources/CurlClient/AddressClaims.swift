// SPDX-License-Identifier: MIT

/// Assigns addresses to an exchange's attempts, so that no two attempts try the same address.
final class AddressClaims {
    private var owners: [PeerAddress: ObjectIdentifier] = [:]

    /// Claims an address. Returns false if another attempt has claimed it.
    func take(_ address: PeerAddress, for attempt: Transfer) -> Bool {
        let owner = owners[address] ?? ObjectIdentifier(attempt)
        owners[address] = owner
        return owner == ObjectIdentifier(attempt)
    }
}
