// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform

/// The names under which pages of this machine can be requested.
struct MachineNames {
    private var known: Set<String> = []
    private var isKnownUntil: MonotonicInstant?

    private static let resolver = "/etc/resolv.conf"
    private static let mostBytes = 16 << 10
    private static let keptFor = Duration.seconds(5)

    /// Whether `name`, in lower case, is this machine's. The names are read anew after some seconds, because the
    /// network may have brought a domain since the start. Requests with foreign names cannot make the loop read a file
    /// each time.
    mutating func contain(_ name: String, now: MonotonicInstant) -> Bool {
        if isKnownUntil.map({ now >= $0 }) ?? true {
            known = Self.names()
            isKnownUntil = now + Self.keptFor
        }
        return known.contains(name)
    }

    /// The names at present. Reads one small local file.
    private static func names() -> Set<String> {
        let file = (try? PlainFile.read(resolver, most: mostBytes))?.bytes ?? []
        return names(host: hostName, resolver: String(decoding: file, as: UTF8.self))
    }

    /// The machine's host name, the name under which mDNS announces it, and its name in each domain that the resolver
    /// searches. `resolver`: the text of resolv.conf(5).
    static func names(host: String, resolver: String) -> Set<String> {
        let host = host.lowercased()
        guard let label = host.split(separator: ".").first else { return [] }
        let domains = resolver.lowercased().split(whereSeparator: \.isNewline).flatMap {
            line -> ArraySlice<Substring> in
            let words = line.split { $0 == " " || $0 == "\t" }
            return ["search", "domain"].contains(words.first ?? "") ? words.dropFirst() : []
        }
        return Set(
            [host, String(label), "\(label).local"]
                + domains.map { "\(label).\($0.hasSuffix(".") ? $0.dropLast() : $0)" })
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
