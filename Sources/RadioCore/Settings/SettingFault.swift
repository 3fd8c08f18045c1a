// SPDX-License-Identifier: MIT

/// Why a setting cannot be taken.
///
/// It names the setting, and neither an option of a command line nor a line of a file: whoever read the setting knows
/// where it was written.
package struct SettingFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let field: SettingField
    /// What is wrong, and with what. No credentials.
    package let problem: SettingText
    /// What to write instead; nil where the problem says it.
    package let remedy: SettingText?

    package init(_ field: SettingField, _ problem: SettingText, remedy: SettingText? = nil) {
        self.field = field
        self.problem = problem
        self.remedy = remedy
    }

    /// What is wrong and what to do, with settings by the names that `name` has for them.
    package func words(_ name: (SettingField) -> String) -> String {
        problem.words(name) + (remedy.map { "; " + $0.words(name) } ?? "")
    }

    package var description: String { "\(field.rawValue): \(words(\.rawValue))" }
}

extension SettingField {
    /// Reads the text of this setting with a parser whose errors say what is wrong.
    package func read<Value>(_ text: String, _ parse: (String) throws -> Value) throws(SettingFault) -> Value {
        do { return try parse(text) } catch { throw SettingFault(self, "\(error)") }
    }
}
