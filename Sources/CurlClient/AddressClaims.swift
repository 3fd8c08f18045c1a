// SPDX-License-Identifier: MIT

/// Which attempt at an exchange connects to which address, so that no two try the same. Confined to the loop's thread.
final class AddressClaims {
    private var owners: [PeerAddress: ObjectIdentifier] = [:]

    /// Takes an address; false where another attempt has it.
    func take(_ address: PeerAddress, for attempt: Transfer) -> Bool {
        let owner = owners[address] ?? ObjectIdentifier(attempt)
        owners[address] = owner
        return owner == ObjectIdentifier(attempt)
    }
}
