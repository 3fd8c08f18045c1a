// SPDX-License-Identifier: MIT

/// The settings of a table in single brackets that one part of the program uses: the keys, and how they are read.
///
/// A new table is a file like that of ``LogSettings``, and an entry in ``Configuration/tables``.
protocol ConfigurationTable: Hashable, Sendable {
    static var section: ConfigurationSection { get }

    /// The settings if the file does not have the table.
    init()
    /// Adds faults to the table reader's list.
    init(_ table: TableReader, in reader: ConfigurationReader)
}

extension Configuration {
    /// The tables with files of their own, in the order of the example.
    static let tables: [any ConfigurationTable.Type] = [LogSettings.self]

    subscript<Table: ConfigurationTable>(_: Table.Type) -> Table { tables[Table.section.path] as? Table ?? Table() }
}
