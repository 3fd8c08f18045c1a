// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// The names under which pages of this machine can be requested.
enum MachineNames {
    private static let resolver = "/etc/resolv.conf"
    private static let mostBytes = 16 << 10

    /// Whether `name`, in lower case, is this machine's. Reads the names anew, because the network may have brought a
    /// domain since the start; one small local file is read.
    static func contain(_ name: String) -> Bool {
        let file = (try? PlainFile.read(resolver, most: mostBytes))?.bytes ?? []
        return names(host: hostName, resolver: String(decoding: file, as: UTF8.self)).contains(name)
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
