// SPDX-License-Identifier: MIT

/// What was noticed while a configuration was read, with places in its file. All notes are equal: they are about the
/// text of the file, and two files with the same settings are the same configuration.
package struct ConfigurationNotes: Hashable, Sendable {
    /// What is allowed but probably a mistake.
    package var doubts: [ConfigurationFault] = []
    /// What the settings depend on outside of the file.
    package var expectations: [Expectation] = []

    package static func == (one: ConfigurationNotes, other: ConfigurationNotes) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
