// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Relay

/// The stations given with `--station NAME=URL`, in the order of their first mention.
struct StationList {
    struct Entry: Hashable {
        var name: String
        /// The addresses of one programme's mirrors.
        var urls: [String]
        /// The path at which the station is served.
        var mount: String
    }

    private(set) var entries: [Entry] = []
    /// The mount paths already taken.
    private var paths: Set<String> = []

    private static let mostStations = 1_000
    private static let longestName = 100

    /// Parses `NAME=URL` texts. A repeated name adds a mirror.
    init(parsing texts: [String]) throws(SettingFault) {
        for text in texts {
            guard let sign = text.firstIndex(of: "=") else { throw Self.malformed(text) }
            let (name, url) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
            guard !Self.isAddress(name), !url.isEmpty else { throw Self.malformed(text) }
            try add(url, to: name)
        }
    }

    /// Whether the text before the `=` is the beginning of an address whose query contains the `=`. A name may have
    /// dots.
    private static func isAddress(_ name: String) -> Bool {
        AddressText(name).isAddress || name.contains("?") && AddressText(name).withScheme != name
    }

    private mutating func add(_ url: String, to name: String) throws(SettingFault) {
        if let index = entries.firstIndex(where: { $0.name == name }) { return entries[index].urls.append(url) }
        try Self.check(name: name)
        guard entries.count < Self.mostStations else {
            throw SettingFault(.station, "at most \(Self.mostStations) stations can be given")
        }
        entries.append(Entry(name: name, urls: [url], mount: freePath(named: name)))
    }

    private mutating func freePath(named name: String) -> String {
        let path = Mount.path(named: name) { !paths.contains($0) }
        paths.insert(path)
        return path
    }

    /// Throws if the name cannot be used in file names, tags and players.
    static func check(name: String, _ field: SettingField = .station) throws(SettingFault) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isPlain, (1...longestName).contains(name.utf8.count), name.contains(where: { $0 != " " }) else {
            throw SettingFault(field, "a name must have 1 to \(longestName) bytes, and no control characters")
        }
    }

    /// The fault for malformed text. It omits the text, which may contain a password.
    private static func malformed(_ text: String) -> SettingFault {
        SettingFault(.station, "it is not NAME=URL", remedy: "write it like fip=https://example.org/fip.mp3")
    }
}
