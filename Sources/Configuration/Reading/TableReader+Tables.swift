// SPDX-License-Identifier: MIT

extension TableReader {
    /// The maximum number of tables with the same name.
    private static let mostTables = 1000

    /// The reader of a table in single brackets; nil if there is none.
    func section(_ name: String) -> TableReader? {
        guard let section = section.sections.first(where: { $0.name == name }), let node = table[name] else {
            return nil
        }
        guard case .table(let table) = node.value else { return fault(node, section) }
        return reader(table, section, path(of: name), node.position)
    }

    /// The readers of the tables in double brackets.
    func sections(_ name: String) -> [TableReader] {
        guard let section = section.sections.first(where: { $0.name == name }), let node = table[name] else {
            return []
        }
        guard case .array(let nodes) = node.value else { return fault(node, section) ?? [] }
        guard nodes.count <= Self.mostTables else {
            faults.add(
                ConfigurationFault(
                    at: node.position, key: path(of: name), problem: "at most \(Self.mostTables) tables are allowed"))
            return []
        }
        return nodes.enumerated().compactMap { index, node in
            let path = "\(path(of: name))[\(index + 1)]"
            guard case .table(let table) = node.value else {
                faults.add(
                    ConfigurationFault(
                        at: node.position, key: path, problem: "it must be a table, not \(node.kind)",
                        remedy: "begin it with \(section.header)"))
                return nil
            }
            return reader(table, section, path, node.position)
        }
    }

    private func reader(
        _ table: TOMLTable, _ section: ConfigurationSection, _ path: String, _ position: TOMLPosition
    ) -> TableReader {
        TableReader(table: table, section: section, path: path, position: position, faults: faults)
    }

    private func fault<Value>(_ node: TOMLNode, _ section: ConfigurationSection) -> Value? {
        let isOther =
            switch node.value {
            case .table: true
            case .array(let nodes): nodes.first.map { if case .table = $0.value { true } else { false } } ?? false
            default: false
            }
        let brackets = section.isList ? "two brackets" : "one bracket"
        faults.add(
            ConfigurationFault(
                at: node.position, key: path(of: section.name),
                problem: isOther ? "its name needs \(brackets) on each side" : "it must be a table, not \(node.kind)",
                remedy: "begin it with \(section.header)"))
        return nil
    }
}
