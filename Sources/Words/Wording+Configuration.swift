// SPDX-License-Identifier: MIT

import Configuration
package import Daemon

// Messages about reading a configuration.
extension Wording {
    /// A sentence about a probable mistake, which begins with its line: `FILE:LINE: …`, or `line LINE` without a path.
    package static func line(_ warning: ConfigurationWarning, in path: String? = nil) -> String {
        switch warning {
        case .setting(let fault): path.map(fault.line) ?? "\(fault)"
        case .floorAboveDisk(let floor, let disk, let line):
            (line.map { line in path.map { "\($0):\(line): " } ?? "line \(line): " } ?? "")
                + "free-space asks for \(Measure.bytes(floor)), but the whole disk of the recordings has only "
                + "\(Measure.bytes(disk)): no recording is deleted for it, because deleting all of them would not be "
                + "enough; perhaps their disk is just not mounted at the moment"
        case .innerFolder(let folder, let state):
            "\(folder) is the recordings folder of another 'aircheck serve', whose state folder is \(state): nothing in "
                + "it is completed, listed or deleted here"
        }
    }

    /// The result of a reload of a configuration with faults.
    package static let isNotConfigured = "the new configuration is not used; the old one still applies"

    static func occurrence(_ why: UnusableConfiguration) -> Occurrence {
        let others = why.problems.count - 1
        let more = others > 0 ? " (and \(Measure.count(others, "other problem")): 'aircheck check' lists them)" : ""
        return Occurrence(
            .error, "not configured", with: ["problems": "\(why.problems.count)"],
            "\(isNotConfigured): \(why.problems.first ?? "")\(more): \(why.remedy)")
    }

    static func occurrence(_ change: ConfigurationChange) -> Occurrence {
        let parts = [("added", change.added), ("changed", change.changed), ("removed", change.removed)]
            .filter { !$0.1.isEmpty }
        let words = parts.map { "\(Measure.count($0.1.count, "station")) \($0.0)" }.joined(separator: ", ")
        return Occurrence(
            .notice, "configured", with: .init(uniqueKeysWithValues: parts.map { ($0.0, "\($0.1.count)") }),
            words.isEmpty ? "the configuration was read; no station has changed" : words)
    }
}
