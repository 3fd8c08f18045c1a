// SPDX-License-Identifier: MIT

import ArgumentParser
import CurlClient
import RadioFormats
import Stations

/// How to reach a station; shared by every command that takes an address.
struct StationOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("User-Agent to send.", valueName: "text"))
    var userAgent = Version.userAgent

    @Option(
        name: .long,
        help: ArgumentHelp(
            "An additional header to send. May be given several times.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Character encoding of titles that are not UTF-8, such as windows-1251 or iso-8859-2.", valueName: "name"))
    var charset: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File of certificates to trust instead of the system's.", valueName: "file"))
    var caFile: String?

    /// The settings for one station with these mirrors.
    func settings(_ urls: [String], giveUp: Duration?) throws -> StationSettings {
        for url in urls where !url.lowercased().hasPrefix("http://") && !url.lowercased().hasPrefix("https://") {
            throw ValidationError(
                """
                '\(redactedURL(url))' is not an address that Aircheck can fetch: it has to begin with http:// or \
                https://.
                """)
        }
        let titles = charset.flatMap { Charset(name: $0) }
        if let charset, titles == nil {
            let known = Charset.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("The character encoding '\(charset)' is not known. Known are: \(known).")
        }
        return StationSettings(
            urls: urls, userAgent: try checked(userAgent, "--user-agent"), headers: try header.map(parse),
            charset: titles, caFile: caFile, giveUp: giveUp,
            seed: UInt64.random(in: .min ... .max))
    }

    private func parse(_ text: String) throws -> StationSettings.Header {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw ValidationError("A --header has no colon. Write it like 'Referer: https://example.org/'.")
        }
        let name = text[..<colon]
        let allowed = name.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
        }
        guard allowed else { throw ValidationError("'\(name)' cannot be the name of a header.") }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        return StationSettings.Header(name: String(name), value: try checked(String(value), "--header"))
    }

    /// A value with line ends would smuggle further header fields into the request.
    private func checked(_ value: String, _ option: String) throws -> String {
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw ValidationError("The value of \(option) must not contain line ends or control characters.")
        }
        return value
    }
}
