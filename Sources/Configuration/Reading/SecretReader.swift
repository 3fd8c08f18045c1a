// SPDX-License-Identifier: MIT

/// Reads a secret that a table names: a file, or a systemd credential.
struct SecretReader {
    let reader: ConfigurationReader
    let table: TableReader
    /// The key for the path of the file.
    let file: ConfigurationKey
    /// The key for the name of the credential.
    let credential: ConfigurationKey

    /// Which of the two keys the table has.
    var given: [ConfigurationKey] { [file, credential].filter(table.has) }

    /// The secret; nil without one. Adds a fault if the secret cannot be read, or if both keys are given.
    func read() -> [UInt8]? {
        let fromFile = reader.path(table, file).flatMap { path in
            table.parsed(file) { _ in try SecretFile.secret(file: path) }
        }
        let fromCredential = table.parsed(credential) { name in
            try SecretFile.secret(credential: name, in: reader.context.credentials)
        }
        if given.count > 1 { table.fault(credential, "cannot be combined with \(file.name)") }
        return fromFile ?? fromCredential
    }
}
