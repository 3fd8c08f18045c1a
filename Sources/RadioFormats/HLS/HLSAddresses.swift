// SPDX-License-Identifier: MIT

/// Makes the addresses of a playlist absolute, and replaces variables (EXT-X-DEFINE of rfc8216bis) in its texts.
struct HLSAddresses {
    static let longest = 4096
    private static let mostVariables = 100

    private let base: URLReference
    /// The base's scheme and host; and these with the path up to its last slash. Empty if the base is no web address.
    private let origin, folder: String
    private let imports: [String: String]
    private(set) var variables: [String: String] = [:]
    /// How many bytes of texts may still be made. Short lines may otherwise become long addresses a million times.
    private var budget: Int

    /// `length` is that of the playlist, in bytes.
    init(base text: String, imports: [String: String], length: Int) {
        budget = min(1 << 20 + 64 * length, 8 << 20)
        let reference = URLReference(text)
        let base = reference.resolved(against: reference)
        (self.base, self.imports) = (base, imports)
        guard base.isWebAddress, let scheme = base.scheme, let authority = base.authority else {
            (origin, folder) = ("", "")
            return
        }
        origin = scheme + "://" + authority
        let slash = base.path.lastIndex(of: "/")
        folder = scheme + "://" + authority + (slash.map { String(base.path[...$0]) } ?? "/")
    }

    /// Takes a definition: of its own, from the query of the playlist's address, or from the master playlist. The first
    /// definition of a name counts.
    mutating func define(_ attributes: HLSAttributes) {
        var definition: (name: String, value: String)?
        if let name = attributes["NAME"], let value = attributes["VALUE"] {
            definition = (name, value)
        } else if let name = attributes["QUERYPARAM"], let value = parameter(name) {
            definition = (name, value)
        } else if let name = attributes["IMPORT"], let value = imports[name] {
            definition = (name, value)
        }
        guard let definition, variables.count < Self.mostVariables else { return }
        variables[definition.name] = variables[definition.name] ?? filled(definition.value)
    }

    private func parameter(_ name: String) -> String? {
        let item = base.query?.split(separator: "&").first { $0.hasPrefix(name + "=") }
        return item.map { item in
            let value = item.utf8.dropFirst(name.utf8.count + 1)
            return String(decoding: PercentEncoding.decoded(value), as: UTF8.self)
        }
    }

    /// A text with its variables replaced. References to other names stay as they are.
    mutating func filled(_ text: String, toBytes limit: Int = longest) -> String {
        var unknown: String?
        return filled(text, toBytes: limit, &unknown)
    }

    /// `unknown` becomes the first name that is not defined.
    private mutating func filled(_ text: String, toBytes limit: Int, _ unknown: inout String?) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")), budget > 0 else { return text.cut(toBytes: limit) }
        var filled: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while filled.count <= limit, let byte = rest.first {
            let name = byte == UInt8(ascii: "{") ? Self.reference(rest) : nil
            if let name, let value = variables[name] {
                filled += Array(value.utf8)
                rest = rest.dropFirst(name.utf8.count + 3)
            } else {
                unknown = unknown ?? name
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        budget -= filled.count
        return String(decoding: filled, as: UTF8.self).cut(toBytes: limit)
    }

    /// The name in the reference to a variable (`{$name}`) that begins a text.
    private static func reference(_ text: ArraySlice<UInt8>) -> String? {
        guard text.starts(with: "{$".utf8) else { return nil }
        let name = text.dropFirst(2).prefix { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        guard !name.isEmpty, text[name.endIndex...].first == UInt8(ascii: "}") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// The absolute address.
    mutating func absolute(_ text: String) throws(HLSProblem) -> String {
        guard text.utf8.count <= Self.longest else { throw .longAddress }
        var unknown: String?
        let text = filled(text, toBytes: Self.longest + 1, &unknown)
        if let unknown { throw .undefinedVariable(unknown.cut(toBytes: 64)) }
        let address = if let plain = plain(text) { plain } else { try resolved(text) }
        guard address.utf8.count <= Self.longest else { throw .longAddress }
        budget -= address.utf8.count
        guard budget > 0 else { throw .tooLong }
        return address
    }

    private mutating func resolved(_ text: String) throws(HLSProblem) -> String {
        let address = URLReference(text).resolved(against: base)
        guard address.isWebAddress else { throw .noWebAddress(scheme: address.scheme?.cut(toBytes: 16)) }
        let resolved = address.text
        // This takes several times as long for each byte.
        budget -= 3 * resolved.utf8.count
        return resolved
    }

    /// The absolute address without parsing, as long lists would cost too much otherwise; nil if the text is not of
    /// one of the usual forms.
    private func plain(_ text: String) -> String? {
        guard !folder.isEmpty, let first = text.utf8.first else { return nil }
        var last: UInt8 = UInt8(ascii: "/")
        for byte in text.utf8 {
            let isDotted = byte == UInt8(ascii: ".") && last == UInt8(ascii: "/")
            guard 0x21...0x7e ~= byte, byte != UInt8(ascii: "@"), !isDotted, !WebAddress.unsafe.contains(byte) else {
                return nil
            }
            last = byte
        }
        if let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) {
            let host = text.utf8.dropFirst(scheme.utf8.count).first
            return host.map { $0.isLetter || $0.isDigit } == true ? text : nil
        }
        if first == UInt8(ascii: "/") { return text.hasPrefix("//") ? nil : origin + text }
        let isRelative = text.utf8.allSatisfy { $0 != UInt8(ascii: ":") }
        return isRelative && first != UInt8(ascii: "?") && first != UInt8(ascii: "#") ? folder + text : nil
    }
}
