// SPDX-License-Identifier: MIT

import ArgumentParser
import CurlClient
import Glibc
import Platform
import RadioCore
import RadioFormats
import Stations

/// How to reach a station; shared by all commands that take an address.
struct StationOptions: ParsableArguments {
    @Option(name: .long, help: .value("text", "User-Agent to send. Default: \(Version.userAgent)"))
    var userAgent: String?

    @Option(name: .long, help: .value("name: value", "An additional header to send. May be given several times."))
    var header: [String] = []

    @Option(
        name: .long,
        help: .value("name", "Character encoding of titles that are not UTF-8, such as windows-1251 or iso-8859-2."),
        completion: .charsets)
    var charset: String?

    @Option(
        name: .long, help: .value("file", "File of certificates to trust instead of the system's."),
        completion: .file())
    var caFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Proxy to connect through: http://, https://, socks5:// or socks5h:// with host and port, and user:password@ in \
            front of the host if it needs them. Proxies of the environment (http_proxy and so on) are ignored. A proxy \
            looks names up itself, so Aircheck cannot keep a station's redirects out of the network behind it.
            """, valueName: "url"))
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            File with user names and passwords of servers (machine radio.example login me password secret), so that they \
            appear in no list of processes. A user name in the address takes precedence.
            """, valueName: "file"), completion: .file())
    var netrcFile: String?

    @Flag(
        name: .long,
        help: """
            If the address is a list: any of its entries may stand in for the station, also another station. Without \
            it, only entries that carry the same station do, and earlier entries, which take over once they are back.
            """)
    var anyEntry = false

    @OptionGroup var segments: SegmentOptions

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: [
            "--user-agent": userAgent != nil, "--header": !header.isEmpty, "--charset": charset != nil,
            "--ca-file": caFile != nil, "--proxy": proxy != nil, "--netrc-file": netrcFile != nil,
            "--any-entry": anyEntry,
        ]) ?? segments.given
    }

    /// The settings for one station: the addresses of its mirrors, and the user's name for it.
    func settings(_ urls: [String], name: String? = nil, giveUp: Duration?) throws(SettingFault) -> StationSettings {
        var settings = try StationSettings(
            parsing: urls, userAgent: userAgent ?? Version.userAgent, headers: header, charset: charset, caFile: caFile,
            proxy: proxy, giveUp: giveUp, seed: UInt64.random(in: .min ... .max))
        if let caFile, access(caFile.pathBytes, R_OK) != 0 {
            let error = SystemError(number: errno)
            throw SettingFault(
                .caFile, "\(caFile) cannot be read: \(error)", remedy: "check its path and its permissions")
        }
        settings.netrc = try netrcFile.map { path throws(SettingFault) in try Self.netrc(path) }
        settings.name = name
        settings.takesAnyEntry = anyEntry
        try segments.apply(to: &settings)
        return settings
    }

    /// The file of passwords, read once to know its hosts: curl reads the passwords.
    private static func netrc(_ path: String) throws(SettingFault) -> NetrcFile {
        let bytes: [UInt8]
        do throws(PlainFile.Problem) {
            bytes = try PlainFile.read(path, most: largestNetrc + 1).bytes
        } catch {
            throw SettingFault(.netrcFile, "\(path) \(error)", remedy: "check its path and its permissions")
        }
        guard bytes.count <= largestNetrc else {
            throw SettingFault(.netrcFile, "\(path) is too large: more than 1 MiB", remedy: "check its path")
        }
        return NetrcFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    private static let largestNetrc = 1 << 20

    /// A remark about the proxies in the environment, which are ignored; nil if there are none, or if a proxy is given.
    func environmentRemark(_ environment: [String: String]) -> String? {
        guard proxy == nil else { return nil }
        let names = ProcessEnvironment.proxies.filter { environment[$0]?.isEmpty == false }
        guard let first = names.first else { return nil }
        return "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") ignored: "
            + "to connect through a proxy, give --proxy \"$\(first)\""
    }
}
