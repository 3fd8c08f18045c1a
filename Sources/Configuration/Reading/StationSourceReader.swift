// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// Reads how to reach a station: addresses, request fields, charset and password.
struct StationSourceReader {
    let reader: ConfigurationReader
    let table: TableReader

    /// Returns nil without a valid address.
    func read(name: String?) -> StationSettings? {
        let urls = urls()
        let userAgent = table.parsed(StationKey.userAgent, userAgent)
        var headers = headers()
        let charset = table.parsed(StationKey.charset, charset)
        let caFile = reader.path(table, StationKey.caFile)
        if let caFile { table.expect(StationKey.caFile, .file(caFile)) }
        let proxy = table.parsed(StationKey.proxy, proxy)
        let takesAnyEntry = table.flag(StationKey.anyEntry) ?? false
        let variant = table.parsed(StationKey.variant, StationSettings.variant)
        let healing = healing()
        if let authorization = authorization(urls: urls, headers: headers) { headers.append(authorization) }
        guard !urls.isEmpty else { return nil }
        var settings = StationSettings(
            urls: urls, name: name, userAgent: userAgent ?? reader.context.userAgent, headers: headers,
            charset: charset ?? nil, caFile: caFile)
        settings.proxy = proxy?.proxy
        settings.takesAnyEntry = takesAnyEntry
        settings.variant = variant ?? settings.variant
        settings.healing = healing
        settings.seed = 0
        return settings
    }

    private func urls() -> [String] {
        guard let texts = table.texts(StationKey.url) else { return [] }
        if texts.isEmpty {
            table.fault(StationKey.url, "it needs at least one address", remedy: StationKey.url.advice)
        }
        let urls = texts.compactMap { text in
            table.parsed(StationKey.url, text) { text in
                let url = AddressText(text).withScheme
                _ = try parsed(urls: [url])
                return try PlainAddress.parse(url)
            }
        }
        // Checks the number of addresses.
        _ = table.parsed(StationKey.url, TableReader.Text(text: "", position: position(StationKey.url))) { _ in
            try parsed(urls: urls)
        }
        return urls
    }

    private func healing() -> [String] {
        guard let texts = table.texts(StationKey.heal) else { return [] }
        let urls = texts.compactMap { text in
            table.parsed(StationKey.heal, text) { text in
                try PlainAddress.parse(try StationSettings.healing([text]).first ?? text)
            }
        }
        return table.parsed(StationKey.heal, TableReader.Text(text: "", position: position(StationKey.heal))) { _ in
            try StationSettings.healing(urls)
        } ?? []
    }

    private func position(_ key: ConfigurationKey) -> TOMLPosition { table.table[key.name]?.position ?? table.position }

    private func userAgent(_ text: String) throws -> String { try parsed(userAgent: text).userAgent }

    private func charset(_ text: String) throws -> Charset? { try parsed(charset: text).charset }

    /// Settings that hold nothing but the proxy.
    private func proxy(_ text: String) throws -> StationSettings { try parsed(proxy: text) }

    /// Checks single settings by parsing them as a station's settings.
    private func parsed(
        urls: [String] = [], userAgent: String = "", headers: [String] = [], charset: String? = nil,
        proxy: String? = nil
    ) throws(SettingFault) -> StationSettings {
        try StationSettings(
            parsing: urls, userAgent: userAgent, headers: headers, charset: charset, proxy: proxy, seed: 0)
    }
}

// MARK: - Request fields

extension StationSourceReader {
    /// The maximum number of request fields of a station.
    private static let mostHeaders = 50

    private func headers() -> [StationSettings.Header] {
        let key = StationKey.headers
        guard let node = table.table[key.name] else { return [] }
        var texts: [TableReader.Text] = []
        switch node.value {
        case .array: texts = table.texts(key) ?? []
        case .table(let fields):
            for field in fields.entries {
                guard case .text(let value) = field.node.value else {
                    table.fault(
                        key, at: field.node.position, "the value of a header must be a text in quotes",
                        remedy: key.advice)
                    continue
                }
                texts.append(TableReader.Text(text: "\(field.key): \(value)", position: field.node.position))
            }
        default: return table.faultOfKind(key, node) ?? []
        }
        guard texts.count <= Self.mostHeaders else {
            return table.fault(key, "at most \(Self.mostHeaders) headers can be given") ?? []
        }
        return texts.compactMap { text in header(text) }
    }

    /// Does not quote the text in faults, because it may be a password.
    private func header(_ text: TableReader.Text) -> StationSettings.Header? {
        (try? StationSettings.Header(parsing: text.text))
            ?? table.fault(
                StationKey.headers, at: text.position, "this is not a valid header",
                remedy: "write it like \"Referer: https://example.org/\", in one line")
    }
}

// MARK: - Password

extension StationSourceReader {
    /// The request field that holds user and password; nil if they are not configured.
    private func authorization(urls: [String], headers: [StationSettings.Header]) -> StationSettings.Header? {
        let secret = SecretReader(
            reader: reader, table: table, file: StationKey.passwordFile, credential: StationKey.passwordCredential)
        let user = table.parsed(StationKey.username, userName)
        let password = secret.read()
        if table.has(StationKey.username) {
            checkUser(hasPassword: !secret.given.isEmpty, urls: urls, headers: headers)
        } else {
            for key in secret.given { table.fault(key, "it also needs a \(StationKey.username.name)") }
        }
        guard let user, let password else { return nil }
        return StationSettings.Header(
            name: "Authorization", value: BasicAuthorization.value(user: user, password: password))
    }

    private func checkUser(hasPassword: Bool, urls: [String], headers: [StationSettings.Header]) {
        if !hasPassword {
            let file = StationKey.passwordFile
            table.fault(
                StationKey.username, "the password of this user is missing",
                remedy: "name a file that holds the password, such as \(file.name) = \(file.example)")
        }
        if headers.contains(where: { $0.name.lowercased() == "authorization" }) {
            table.fault(
                StationKey.username, "cannot be combined with an Authorization header in \(StationKey.headers.name)")
        }
        if urls.contains(where: { URLReference($0).hasUser }) {
            table.fault(StationKey.username, "cannot be combined with a user in \(StationKey.url.name)")
        }
    }

    /// The user name. Throws if Basic authentication cannot transmit it: a colon, for example, would end the name.
    private func userName(_ text: String) throws -> String {
        guard (1...255).contains(text.utf8.count), !text.utf8.contains(UInt8(ascii: ":")),
            !text.unicodeScalars.contains(where: SafeText.isControl)
        else { throw SettingFault(.user, "it must have 1 to 255 bytes, and no colon or control characters") }
        return text
    }
}
