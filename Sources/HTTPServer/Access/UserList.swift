// SPDX-License-Identifier: MIT

/// Who may come in: names, each with the hash of a password.
package struct UserList: Hashable, Sendable {
    /// What the browser says to its user.
    package var realm: String
    private var hashes: [String: PasswordHash]
    /// What the password of somebody unknown is held against, so that it takes as long as that of somebody known.
    let standIn: PasswordHash

    /// At least one user; nil where there is none. To hide who is known, all should be hashed alike.
    package init?(_ users: [String: PasswordHash], realm: String = "Aircheck") {
        guard let first = users.min(by: { $0.key < $1.key }) else { return nil }
        self.realm = realm
        hashes = users
        standIn = first.value
    }

    func hash(of name: String) -> PasswordHash? { hashes[name] }
}
