// SPDX-License-Identifier: MIT

import CurlClient
import Platform
package import RadioCore
package import RadioFormats

extension StationSettings {
    private static let mostMirrors = 100

    /// Parses the settings of one station; `urls` are the addresses of its mirrors, with or without `http://`.
    package init(
        parsing urls: [String], userAgent: String, headers: [String] = [], charset: String? = nil,
        caFile: String? = nil, proxy: String? = nil, giveUp: Duration? = nil, seed: UInt64
    ) throws(SettingFault) {
        guard urls.count <= Self.mostMirrors else {
            throw SettingFault(.url, "at most \(Self.mostMirrors) mirrors can be given")
        }
        let urls = urls.map { AddressText($0).withScheme }
        guard !urls.contains("") else {
            throw SettingFault(.url, "the address is empty", remedy: "write it like http://radio.example/stream")
        }
        guard urls.allSatisfy({ URLReference($0).authority?.count { $0 == "@" } ?? 0 <= 1 }) else {
            throw Self.unescapedAt(.url)
        }
        for url in urls where !url.lowercased().hasPrefix("http://") && !url.lowercased().hasPrefix("https://") {
            throw SettingFault(
                .url,
                """
                '\(AddressText(url).redacted)' is not an address that Aircheck can fetch: it has to begin with http:// or \
                https://
                """)
        }
        self.init(
            urls: urls, userAgent: try Self.checked(userAgent, .userAgent),
            headers: try headers.map { header throws(SettingFault) in try Header(parsing: header) },
            charset: try charset.map { name throws(SettingFault) in try Self.charset(name) }, caFile: caFile,
            giveUp: giveUp, seed: seed)
        self.proxy = try proxy.map { text throws(SettingFault) in try Self.proxy(text) }
    }

    /// The fault of an address whose user name or password contains an `@`: curl would take the first `@` for the end
    /// of the password.
    private static func unescapedAt(_ field: SettingField) -> SettingFault {
        SettingFault(
            field, "the user name or the password in the address contains an @", remedy: "write it as %40")
    }

    /// Parses the address of a proxy. Its faults do not quote the text, which may hold a password.
    private static func proxy(_ text: String) throws(SettingFault) -> ProxyAddress {
        let example = SettingText("write it like http://proxy.example:3128")
        do throws(ProxyAddress.ParseError) { return try ProxyAddress(parsing: text) } catch {
            switch error {
            case .scheme:
                let known = ProxyAddress.schemes.map { "\($0)://" }.joined(separator: ", ")
                throw SettingFault(.proxy, "the address of a proxy begins with one of \(known)", remedy: example)
            case .unescapedAt: throw unescapedAt(.proxy)
            case .host: throw SettingFault(.proxy, "it is not the address of a proxy", remedy: example)
            case .port: throw SettingFault(.proxy, "the port of the proxy is missing", remedy: example)
            }
        }
    }

    /// Parses which variant of a station in HLS to take.
    package static func variant(_ text: String) throws(SettingFault) -> VariantWish {
        if let variant = VariantWish(text) { return variant }
        throw SettingFault(
            .variant, "'\(text)' is not a variant", remedy: "use best, smallest or a bit rate such as 96k")
    }

    /// Parses the addresses of lists and relays from which gaps are healed.
    package static func healing(_ texts: [String]) throws(SettingFault) -> [String] {
        guard texts.count <= mostHealing else {
            throw SettingFault(.heal, "at most \(mostHealing) lists can be given")
        }
        do throws(SettingFault) {
            return try StationSettings(parsing: texts, userAgent: "", seed: 0).urls
        } catch {
            throw SettingFault(.heal, error.problem, remedy: error.remedy)
        }
    }

    private static let mostHealing = 10

    private static func charset(_ name: String) throws(SettingFault) -> Charset {
        if let charset = Charset(name: name) {
            guard SystemCharsets.knows(charset) else {
                throw SettingFault(
                    .charset, "this system has no table of the character encoding '\(charset.rawValue)'",
                    remedy: "install the tables of iconv (package libc6 or glibc-gconv-extra)")
            }
            return charset
        }
        let known = Charset.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingFault(.charset, "the character encoding '\(name)' is not known", remedy: "use one of \(known)")
    }

    /// Rejects line ends: they would smuggle further header fields into the request.
    fileprivate static func checked(_ value: String, _ field: SettingField) throws(SettingFault) -> String {
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw SettingFault(field, "the value must not contain line ends or control characters")
        }
        return value
    }
}

extension StationSettings.Header {
    /// Parses `name: value`.
    package init(parsing text: String) throws(SettingFault) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            // The fault omits the text, which may be a password.
            throw SettingFault(.header, "it has no colon", remedy: "write it like 'Referer: https://example.org/'")
        }
        let name = text[..<colon]
        let isToken = name.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
        }
        guard isToken else { throw SettingFault(.header, "'\(name)' cannot be the name of a header") }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        self.init(name: String(name), value: try StationSettings.checked(String(value), .header))
    }
}
