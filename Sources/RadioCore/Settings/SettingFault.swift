// SPDX-License-Identifier: MIT

/// Why a setting is rejected.
///
/// A fault names the setting, but neither a command-line option nor a line of a file: only the code that read the
/// setting knows where it was written.
package struct SettingFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let field: SettingField
    /// The problem, in words without credentials.
    package let problem: SettingText
    /// What to write instead; nil if the problem already says what to write.
    package let remedy: SettingText?

    package init(_ field: SettingField, _ problem: SettingText, remedy: SettingText? = nil) {
        self.field = field
        self.problem = problem
        self.remedy = remedy
    }

    /// The problem and the remedy, with each setting named by `name`.
    package func words(_ name: (SettingField) -> String) -> String {
        problem.words(name) + (remedy.map { "; " + $0.words(name) } ?? "")
    }

    package var description: String { "\(field.rawValue): \(words(\.rawValue))" }
}

extension SettingField {
    /// Parses the text of this setting. Throws the parser's error, which must describe the problem, as a fault of the
    /// setting.
    package func read<Value>(_ text: String, _ parse: (String) throws -> Value) throws(SettingFault) -> Value {
        do { return try parse(text) } catch { throw SettingFault(self, "\(error)") }
    }
}
