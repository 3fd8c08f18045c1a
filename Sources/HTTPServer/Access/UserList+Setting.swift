// SPDX-License-Identifier: MIT

import Platform
package import RadioCore

extension UserList {
    private static let largestFile = 4 << 20

    /// Reads a users file. The server reads it again when it has changed.
    package init(file path: String) throws(SettingFault) {
        let file = File(path: path, signature: FileSignature(ofFile: path))
        let bytes: [UInt8]
        do throws(PlainFile.Problem) {
            bytes = try PlainFile.read(path, most: Self.largestFile + 1).bytes
        } catch {
            throw SettingFault(.users, "'\(path)' \(error)")
        }
        guard bytes.count <= Self.largestFile else {
            throw SettingFault(.users, "'\(path)' is too large: more than 4 MiB")
        }
        do throws(UsersFile.Invalid) {
            guard let list = UserList(try UsersFile.parse(String(decoding: bytes, as: UTF8.self))) else {
                throw UsersFile.Invalid(problems: [])
            }
            self = list.from(file)
        } catch {
            guard !error.problems.isEmpty else { throw SettingFault(.users, "'\(path)' has no users in it") }
            throw SettingFault(
                .users,
                "'\(path)' cannot be used:\n\(error.problems.map { "  \($0)" }.joined(separator: "\n"))")
        }
    }

    /// Throws if a users file cannot contain this name.
    package static func check(name: String) throws(SettingFault) {
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") }
        guard isPlain, (1...255).contains(name.utf8.count), !name.hasPrefix("#") else {
            throw SettingFault(.user, "a name has 1 to 255 bytes, without blanks and colons, and does not begin with #")
        }
    }
}
