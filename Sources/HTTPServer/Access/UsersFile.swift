// SPDX-License-Identifier: MIT

/// Parses a users file: a line `name:hash` per user, as `htpasswd -B` writes it. Empty lines and lines that begin with
/// `#` are skipped.
package enum UsersFile {
    /// An invalid line, and why it is invalid.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        package let line: Int
        package let message: String

        package var description: String { "line \(line): \(message)" }
    }

    /// All problems of a file.
    package struct Invalid: Error, Hashable, Sendable {
        package let problems: [Problem]
    }

    private static let mostUsers = 10_000
    private static let longestName = 255

    /// Parses the text of a file.
    package static func parse(_ text: String) throws(Invalid) -> [String: PasswordHash] {
        var users: [String: PasswordHash] = [:]
        var problems: [Problem] = []
        // CR LF is a single Character, too.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.withoutBlanks
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            let user = entry(content)
            switch user {
            case .failure(let refusal):
                problems.append(Problem(line: index + 1, message: refusal.message))
            case .success((let name, let hash)):
                if users.updateValue(hash, forKey: name) != nil {
                    problems.append(Problem(line: index + 1, message: "\(name) is listed twice"))
                } else if users.count > mostUsers {
                    problems.append(Problem(line: index + 1, message: "more than \(mostUsers) users"))
                    throw Invalid(problems: problems)
                }
            }
        }
        guard problems.isEmpty else { throw Invalid(problems: problems) }
        return users
    }

    private struct Refusal: Error {
        let message: String
    }

    private static func entry(_ line: Substring) -> Result<(String, PasswordHash), Refusal> {
        guard let colon = line.firstIndex(of: ":") else { return .failure(Refusal(message: "not NAME:HASH")) }
        let name = String(line[..<colon])
        guard !name.isEmpty, name.utf8.count <= longestName, !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
        else { return .failure(Refusal(message: "the name is empty, too long, or holds control characters")) }
        guard let hash = PasswordHash(String(line[line.index(after: colon)...])) else {
            return .failure(
                Refusal(
                    message: "the password of \(name) is not an accepted hash; "
                        + "make a hash with: htpasswd -B, or openssl passwd -6"))
        }
        return .success((name, hash))
    }
}

/// The users that have access: names, each with the hash of a password.
package struct UserList: Hashable, Sendable {
    /// The realm that browsers show.
    package var realm: String
    private var hashes: [String: PasswordHash]
    /// A hash that stands in for an unknown user's: the password is checked against it, so that the check takes as long
    /// as for a known user.
    let standIn: PasswordHash
    /// The file that the users come from; nil if they come from elsewhere.
    private(set) var file: File?

    /// A file, and its signature before it was read.
    struct File: Hashable, Sendable {
        let path: String
        let signature: FileSignature?
    }

    /// Returns nil without users. To hide which names are known, all hashes should use the same method and cost.
    package init?(_ users: [String: PasswordHash], realm: String = "Aircheck") {
        guard let first = users.min(by: { $0.key < $1.key }) else { return nil }
        self.realm = realm
        hashes = users
        standIn = first.value
    }

    func from(_ file: File) -> UserList {
        var list = self
        list.file = file
        return list
    }

    func hash(of name: String) -> PasswordHash? { hashes[name] }
}
