// SPDX-License-Identifier: MIT

import CLibCrypt
import Glibc

/// A stored password: a salted hash in the format of crypt(3), as written by `htpasswd -B` and `openssl passwd -6`.
///
/// Accepts SHA-256 (`$5$`), SHA-512 (`$6$`), bcrypt (`$2a$`, `$2b$`, `$2y$`) and yescrypt (`$y$`). Older methods are
/// rejected, because their passwords are quick to guess.
package struct PasswordHash: Hashable, Sendable {
    /// The text in the users file.
    package let text: String

    /// Each method's prefix, and how many characters follow its last `$`; a shorter hash has been truncated.
    private static let kinds = ["$5$": 43, "$6$": 86, "$2a$": 53, "$2b$": 53, "$2y$": 53, "$y$": 43]
    private static let prefixOfNew = "$y$"
    /// The maximum length of a password in bytes: more than any sensible password has. libcrypt itself accepts 512
    /// bytes.
    package static let longestPassword = 256
    private static let longestHash = 384

    /// Parses a hash; returns nil if `text` is not a hash of an accepted method.
    package init?(_ text: String) {
        guard text.utf8.count < Self.longestHash, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let kind = Self.kinds.first(where: { text.hasPrefix($0.key) }),
            text.utf8.split(separator: UInt8(ascii: "$")).last?.count == kind.value, ac_crypt_knows(text) == 1
        else { return nil }
        self.text = text
    }

    /// Hashes a new password with a new salt (yescrypt). Blocks for a large part of a second. Returns nil if the
    /// password is empty, too long or contains a NUL.
    package init?(hashing password: String) {
        guard let setting = Self.newSetting(), let text = Self.hash(Array(password.utf8), like: setting)
        else { return nil }
        self.text = text
    }

    /// The text with which a new hash begins: a method, its cost and a new salt.
    private static func newSetting() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: longestHash) { buffer in
            guard let text = buffer.baseAddress, ac_crypt_new_setting(prefixOfNew, text, CInt(buffer.count)) == 0
            else { return nil }
            return String(cString: text)
        }
    }

    /// Whether `password` has this hash. Takes a large part of a second, by design: never call it on the loop.
    package func matches(_ password: [UInt8]) -> Bool {
        guard let other = Self.hash(password, like: text) else { return false }
        return Self.areEqual(other, text)
    }

    private static func hash(_ password: [UInt8], like setting: String) -> String? {
        guard (1...longestPassword).contains(password.count), !password.contains(0) else { return nil }
        let size = Int(ac_crypt_memory_size())
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        memset(memory, 0, size)
        var terminated = password + [0]
        defer {
            // Both `memory` and `terminated` contain the password.
            explicit_bzero(memory, size)
            terminated.wipe()
            memory.deallocate()
        }
        let result = terminated.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.flatMap { ac_crypt_hash($0, setting, memory) }
            }
        }
        // libcrypt reports a failure with a result that begins with a star.
        return result.map { String(cString: $0) }.flatMap { $0.hasPrefix("*") ? nil : $0 }
    }

    /// Whether two texts are equal, compared in constant time.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension [UInt8] {
    /// Overwrites secret bytes.
    mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
