// SPDX-License-Identifier: MIT

import RadioFormats

/// Adds stations to the text of a configuration file. The existing text stays as it is.
package enum ConfigurationText {
    /// Why nothing can be added.
    package enum Problem: Error, Hashable, Sendable {
        /// The existing text cannot be parsed.
        case invalid(ConfigurationFault)
        /// The station has faults.
        case station([ConfigurationFault])
        /// A station already has this ID, in this line.
        case taken(id: String, line: Int)
        /// A station already has this address, and no ID was chosen for another one. `id` and `line`: those of the
        /// station.
        case known(id: String?, line: Int)
        /// The stations are written in a form to which no table can be added: `station = [{…}]`.
        case otherForm
    }

    /// The text with one more `[[station]]` at its end, and the station's ID. Without an `id`, one is derived from the
    /// name, and no other station has it or the same address.
    package static func appending(
        id chosen: String?, name: String?, url: String, variant: String? = nil, healing: [String] = [],
        to text: String, _ context: ConfigurationContext
    ) throws(Problem) -> (text: String, id: String) {
        let old = try parse(text)
        let stations = stations(of: old)
        if chosen == nil, let known = stations.first(where: { $0.addresses.contains(AddressText(url).identity) }) {
            throw .known(id: known.id, line: known.line)
        }
        let id = chosen ?? PublicID.derived(from: name ?? "", taken: Set(stations.compactMap(\.id)))
        let end = text.hasCRLF ? "\r\n" : "\n"
        var lines = ["[[station]]", "id = \(quoted(id))"]
        if let name { lines.append("name = \(quoted(name))") }
        lines.append("url = \(quoted(url))")
        if let variant { lines.append("variant = \(quoted(variant))") }
        if !healing.isEmpty { lines.append("heal = [\(healing.map(quoted).joined(separator: ", "))]") }
        let station = lines.map { $0 + end }.joined()
        let result = ConfigurationFile.parse(Array(station.utf8), folder: "/", context)
        if case .failure(.invalid(let faults)) = result { throw .station(faults) }
        if let taken = stations.first(where: { $0.id == id }) { throw .taken(id: id, line: taken.line) }
        let isEmpty = text.isEmpty
        let gap = isEmpty ? "" : text.utf8.last == UInt8(ascii: "\n") ? end : end + end
        let new = text + gap + station
        guard let table = try? parse(new), self.stations(of: table).count == stations.count + 1 else {
            throw .otherForm
        }
        return (new, id)
    }

    /// The text as a basic string of TOML.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where SafeText.isControl(scalar): "\\u" + hexadecimal(scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    private static func parse(_ text: String) throws(Problem) -> TOMLTable {
        do throws(TOMLDocument.SyntaxError) {
            return try TOMLDocument.parse(Array(text.utf8))
        } catch {
            throw .invalid(ConfigurationFault(at: error.position, key: "", problem: error.problem))
        }
    }

    private static func stations(of table: TOMLTable) -> [(id: String?, addresses: [String], line: Int)] {
        guard case .array(let nodes)? = table["station"]?.value else { return [] }
        return nodes.map { node in
            guard case .table(let station) = node.value else { return (nil, [], node.position.line) }
            let addresses = texts(of: station["url"]?.value).map { AddressText(AddressText($0).withScheme).identity }
            return (texts(of: station["id"]?.value).first, addresses, node.position.line)
        }
    }

    private static func texts(of value: TOMLNode.Value?) -> [String] {
        switch value {
        case .text(let text)?: [text]
        case .array(let nodes)?: nodes.flatMap { texts(of: $0.value) }
        default: []
        }
    }
}

extension String {
    fileprivate var hasCRLF: Bool {
        guard let feed = utf8.firstIndex(of: UInt8(ascii: "\n")), feed > utf8.startIndex else { return false }
        return utf8[utf8.index(before: feed)] == UInt8(ascii: "\r")
    }
}
