// SPDX-License-Identifier: MIT

import RadioCore

/// A key of `[[station]]` that may be left out and that one purpose uses: its declaration, and how its value is read.
///
/// A new option is a file like that of ``StationOption/silence``, and an entry in ``StationOptionValues/all``.
package struct StationOption<Value: Hashable & Sendable>: Sendable {
    let key: ConfigurationKey
    /// Returns nil if the key is missing or at fault, after adding the fault.
    let read: @Sendable (TableReader, ConfigurationKey) -> Value?
}

/// The values of a station's options.
package struct StationOptionValues: Hashable, Sendable {
    private var values = NamedValues()

    /// All options, in the order of the example.
    static let all: [any StationOptionReading] = [StationOption.silence] + Companion.allCases.compactMap(\.option)

    init() {}

    init(_ table: TableReader) {
        for option in Self.all { values[option.key.name] = option.value(in: table) }
    }

    /// The value of an option; nil if the configuration does not have it.
    package subscript<Value>(option: StationOption<Value>) -> Value? {
        get { values[option.key.name] as? Value }
        set { values[option.key.name] = newValue }
    }
}

/// An option, whatever the type of its value.
protocol StationOptionReading: Sendable {
    var key: ConfigurationKey { get }
    func value(in table: TableReader) -> (any Hashable & Sendable)?
}

extension StationOption: StationOptionReading {
    func value(in table: TableReader) -> (any Hashable & Sendable)? { read(table, key) }
}
