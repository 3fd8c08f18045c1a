// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Reads the values of one table by the keys of its section, and adds a fault for each value that is not allowed.
///
/// A method returns nil both if the key is missing and if its value is at fault. Callers need not tell these two cases
/// apart, because any fault rejects the whole file.
struct TableReader {
    let table: TOMLTable
    let section: ConfigurationSection
    /// The dotted path of the table; entries of lists are counted from 1: `station[2].show[1]`.
    let path: String
    let position: TOMLPosition
    let faults: FaultList

    /// A text in the table, and its position.
    struct Text {
        var text: String
        var position: TOMLPosition
    }

    /// Adds a fault of the table, or of one of its keys.
    func fault(
        _ key: ConfigurationKey? = nil, at position: TOMLPosition? = nil, _ problem: String, remedy: String? = nil
    ) {
        let place = position ?? key.flatMap { table[$0.name]?.position } ?? self.position
        faults.add(
            ConfigurationFault(at: place, key: key.map { path(of: $0.name) } ?? path, problem: problem, remedy: remedy))
    }

    /// Adds a fault in place of a value.
    func fault<Value>(
        _ key: ConfigurationKey? = nil, at position: TOMLPosition? = nil, _ problem: String, remedy: String? = nil
    ) -> Value? {
        fault(key, at: position, problem, remedy: remedy)
        return nil
    }

    /// Adds something that is allowed but probably a mistake.
    func doubt(_ key: ConfigurationKey, at position: TOMLPosition? = nil, _ problem: String, remedy: String? = nil) {
        let place = position ?? table[key.name]?.position ?? self.position
        faults.add(doubt: ConfigurationFault(at: place, key: path(of: key.name), problem: problem, remedy: remedy))
    }

    /// Adds something outside of the file on which the key's value depends.
    func expect(_ key: ConfigurationKey, _ kind: Expectation.Kind) {
        faults.add(Expectation(kind, at: table[key.name]?.position ?? position, key: path(of: key.name)))
    }

    /// Whether the key is present, whatever its value.
    func has(_ key: ConfigurationKey) -> Bool { table[key.name] != nil }

    /// Adds faults for unknown keys, and for required keys that are missing.
    func checkKeys() {
        let names = Set(section.names)
        for entry in table.entries where !names.contains(entry.key) {
            guard !faults.isFull else { return }
            faults.add(
                ConfigurationFault(
                    at: entry.node.position, key: path(of: SafeText.key(entry.key)), problem: "this is not known here",
                    remedy: UnknownKey.remedy(entry.key, in: section) ?? "config.example.toml lists all keys"))
        }
        for key in section.keys where key.isRequired && !has(key) {
            fault(key, at: position, "this key is missing", remedy: key.advice)
        }
    }

    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Adds a fault: the value is of the wrong kind.
    func faultOfKind<Value>(_ key: ConfigurationKey, _ node: TOMLNode) -> Value? {
        fault(key, at: node.position, "it must be \(key.kind.words), not \(node.kind)", remedy: key.advice)
    }
}

// MARK: - Single values

extension TableReader {
    func flag(_ key: ConfigurationKey) -> Bool? { value(key) { if case .flag(let flag) = $0 { flag } else { nil } } }

    /// A whole number in the key's range.
    func count(_ key: ConfigurationKey) -> Int? {
        let number = value(key) { if case .integer(let number) = $0 { number } else { nil } }
        guard case .count(let range) = key.kind, let number else { return nil }
        if let count = Int(exactly: number), range.contains(count) { return count }
        return fault(key, "it must be \(key.kind.words)")
    }

    func text(_ key: ConfigurationKey) -> String? { value(key) { if case .text(let text) = $0 { text } else { nil } } }

    /// What `pick` finds in the value of a key. A value in which it finds nothing is of another kind.
    private func value<Value>(_ key: ConfigurationKey, _ pick: (TOMLNode.Value) -> Value?) -> Value? {
        guard let node = table[key.name] else { return nil }
        return pick(node.value) ?? faultOfKind(key, node)
    }

    /// A text for people, without control characters.
    func name(_ key: ConfigurationKey) -> String? {
        guard let name = text(key) else { return nil }
        guard !name.unicodeScalars.contains(where: SafeText.isControl),
            (1...Self.longestName).contains(name.utf8.count),
            name.contains(where: { !$0.isWhitespace })
        else { return fault(key, "a name must have 1 to \(Self.longestName) bytes, and no control characters") }
        return name
    }

    /// A text, parsed by `parse`. The errors of `parse` describe the problem.
    func parsed<Value>(_ key: ConfigurationKey, _ parse: (String) throws -> Value) -> Value? {
        guard let node = table[key.name] else { return nil }
        return parsed(key, node, parse)
    }

    /// Parses a text. Also takes a TOML date or time, if the key allows one.
    func parsed<Value>(_ key: ConfigurationKey, _ node: TOMLNode, _ parse: (String) throws -> Value) -> Value? {
        let text: String
        switch (node.value, key.kind) {
        case (.text(let value), _), (.date(let value), .date), (.date(let value), .dates), (.time(let value), .time),
            (.time(let value), .times):
            text = value
        default: return faultOfKind(key, node)
        }
        return parsed(key, Text(text: text, position: node.position), parse)
    }

    /// Parses a text of this key.
    func parsed<Value>(_ key: ConfigurationKey, _ text: Text, _ parse: (String) throws -> Value) -> Value? {
        do {
            return try parse(text.text)
        } catch {
            let words = FaultWords(error, of: text.text)
            return fault(
                key, at: text.position, words.problem, remedy: words.remedy ?? (words.isGeneral ? key.advice : nil))
        }
    }

    /// A duration within the range.
    func duration(_ key: ConfigurationKey, in range: ClosedRange<Duration>) -> Duration? {
        guard let duration = parsed(key, HumanDuration.parse) else { return nil }
        guard range.contains(duration) else {
            let (least, most) = (HumanDuration.print(range.lowerBound), HumanDuration.print(range.upperBound))
            return fault(key, range.lowerBound < .seconds(1) ? "at most \(most)" : "from \(least) to \(most)")
        }
        return duration
    }

    /// One of the type's raw values.
    func choice<Value: RawRepresentable & CaseIterable>(_ key: ConfigurationKey, _: Value.Type) -> Value?
    where Value.RawValue == String {
        guard let node = table[key.name], let text = text(key) else { return nil }
        let all = Value.allCases.map(\.rawValue)
        return choice(key, Text(text: text, position: node.position), all).flatMap(Value.init(rawValue:))
    }

    /// One of the given words.
    func choice(_ key: ConfigurationKey, _ text: Text, _ all: [String]) -> String? {
        if all.contains(text.text) { return text.text }
        let nearest = NearestWord.nearest(to: text.text, in: all)
        return fault(
            key, at: text.position, "\(SafeText.quoted(text.text)) is not a valid value",
            remedy: nearest.map { "did you mean \"\($0)\"?" }
                ?? "use one of \(all.map { "\"\($0)\"" }.joined(separator: ", "))")
    }

    private static let longestName = 300
}

// MARK: - Lists

extension TableReader {
    /// The maximum number of entries in a list.
    private static let longestList = 1000

    /// A single text, or the texts of a list; nil if a list has entries, but no texts.
    func texts(_ key: ConfigurationKey) -> [Text]? {
        guard let node = table[key.name] else { return nil }
        if case .text(let text) = node.value, key.kind != .list { return [Text(text: text, position: node.position)] }
        guard let nodes = list(key, node) else { return nil }
        let texts: [Text] = nodes.compactMap { item in
            guard case .text(let text) = item.value else {
                return fault(
                    key, at: item.position, "the list must have texts in quotes, not \(item.kind)", remedy: key.advice)
            }
            return Text(text: text, position: item.position)
        }
        return texts.isEmpty && !nodes.isEmpty ? nil : texts
    }

    /// A single text, or the texts of a list, each parsed by `parse`.
    func parsedList<Value>(_ key: ConfigurationKey, _ parse: (String) throws -> Value) -> [Value]? {
        texts(key)?.compactMap { parsed(key, $0, parse) }
    }

    /// The values of a list that is not too long.
    func list(_ key: ConfigurationKey, _ node: TOMLNode) -> [TOMLNode]? {
        guard case .array(let nodes) = node.value else { return faultOfKind(key, node) }
        guard nodes.count <= Self.longestList else {
            return fault(key, "the list is too long: at most \(Self.longestList) entries are allowed")
        }
        return nodes
    }
}
