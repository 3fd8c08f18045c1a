// SPDX-License-Identifier: MIT

package import RadioCore

extension RecordingSpec.Output {
    /// Parses a folder, or `-` for standard output. `isNamed`: whether the user gave a template for file names.
    package init(parsing text: String, isNamed: Bool) throws(SettingFault) {
        guard !text.isEmpty else { throw SettingFault(.output, "the folder for recordings has an empty name") }
        guard text == "-" else {
            self = .folder(text)
            return
        }
        guard !isNamed else { throw SettingFault(.name, "cannot be combined with \(.output) -: no file is written") }
        self = .standardOutput
    }
}
