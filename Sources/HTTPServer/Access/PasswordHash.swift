// SPDX-License-Identifier: MIT

import CLibCrypt
import Glibc

/// A password as it is stored: a salted hash in the form of crypt(3), such as `htpasswd -B` and `openssl passwd -6`
/// write.
///
/// SHA-256 (`$5$`), SHA-512 (`$6$`), bcrypt (`$2a$`, `$2b$`, `$2y$`) and yescrypt (`$y$`) are taken. Older kinds are
/// not: they are quick to guess.
package struct PasswordHash: Hashable, Sendable {
    /// As it stands in the users file.
    package let text: String

    /// How each kind begins, and how many characters follow its last `$`: what is shorter was cut off.
    private static let kinds = ["$5$": 43, "$6$": 86, "$2a$": 53, "$2b$": 53, "$2y$": 53, "$y$": 43]
    private static let prefixOfNew = "$y$"
    /// More than any password that is meant; libcrypt itself takes 512.
    package static let longestPassword = 256
    private static let longestHash = 384

    /// Takes a hash; nil where it is none, or of another kind.
    package init?(_ text: String) {
        guard text.utf8.count < Self.longestHash, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let kind = Self.kinds.first(where: { text.hasPrefix($0.key) }),
            text.utf8.split(separator: UInt8(ascii: "$")).last?.count == kind.value, ac_crypt_knows(text) == 1
        else { return nil }
        self.text = text
    }

    /// Hashes a new password with a new salt (yescrypt). Takes a good part of a second; nil where the password is too
    /// long, empty, or holds a NUL.
    package init?(hashing password: String) {
        guard let setting = Self.newSetting(), let text = Self.hash(Array(password.utf8), like: setting)
        else { return nil }
        self.text = text
    }

    /// A method, its cost and a new salt.
    private static func newSetting() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: longestHash) { buffer in
            guard let text = buffer.baseAddress, ac_crypt_new_setting(prefixOfNew, text, CInt(buffer.count)) == 0
            else { return nil }
            return String(cString: text)
        }
    }

    /// Whether this is the password's. Takes a good part of a second, as hashes are slow on purpose: never on the loop.
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
            // They hold the password.
            explicit_bzero(memory, size)
            terminated.wipe()
            memory.deallocate()
        }
        let result = terminated.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.flatMap { ac_crypt_hash($0, setting, memory) }
            }
        }
        // What begins with a star is libcrypt's word for a failure.
        return result.map { String(cString: $0) }.flatMap { $0.hasPrefix("*") ? nil : $0 }
    }

    /// Takes the same time wherever the two differ.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension [UInt8] {
    /// Overwrites what is secret.
    mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
