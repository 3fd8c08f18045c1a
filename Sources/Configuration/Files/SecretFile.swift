// SPDX-License-Identifier: MIT

/// Reads a password or a token from a separate file, so that the secret is neither in the configuration nor in the
/// environment.
enum SecretFile {
    /// The maximum size of the file in bytes.
    static let longest = 1024

    /// Why there is no secret.
    enum Problem: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        case file(FileFault)
        case empty
        /// The secret contains control characters. This happens, for example, if the file has a second line.
        case control
        /// There is no folder of credentials.
        case noCredentials
        case badName

        var description: String {
            switch self {
            case .file(let fault): fault.description
            case .empty: "the file is empty"
            case .control: "the file must hold a single line, and no control characters"
            case .noCredentials:
                "this process has no credentials: systemd gives them to services with LoadCredential= or similar"
            case .badName: "this is not the name of a credential: a credential's name has no slash"
            }
        }
    }

    /// The secret in a file, which must not be accessible to the group or others.
    static func secret(file path: String) throws(Problem) -> [UInt8] {
        try read(path, isSecret: true)
    }

    /// The secret in a systemd credential. The service manager protects it with permissions of its own.
    static func secret(credential name: String, in folder: String?) throws(Problem) -> [UInt8] {
        guard let folder, folder.hasPrefix("/") else { throw .noCredentials }
        let isPlain = !name.utf8.contains(UInt8(ascii: "/")) && !name.unicodeScalars.contains(where: SafeText.isControl)
        guard isPlain, name != ".", name != "..", (1...255).contains(name.utf8.count) else { throw .badName }
        return try read("\(folder)/\(name)", isSecret: false)
    }

    private static func read(_ path: String, isSecret: Bool) throws(Problem) -> [UInt8] {
        var bytes: [UInt8]
        do { bytes = try SmallFile.read(path, limit: longest, isSecret: isSecret) } catch { throw .file(error) }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw .empty }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .control }
        return bytes
    }
}
