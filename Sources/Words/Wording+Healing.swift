// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
package import Storage

extension Wording {
    /// What could be put into a file, or what became of that: one line.
    package static func line(_ finding: HealingSearch.Finding, _ outcome: LibraryHealing.Outcome) -> String {
        let path = TitleText.cleaned(finding.segment.path.joined(separator: "/"))
        let source = TitleText.cleaned(finding.source)
        let audio = "\(Measure.length(finding.length)) at \(finding.gap.at.rfc3339) from \(source)"
        let rest = finding.match.isWhole ? "" : "; \(Measure.length(finding.rest)) missing still"
        switch outcome {
        case .found: return "\(path): can be healed: \(audio)\(rest)"
        case .healed: return "\(path): healed: \(audio)\(rest)"
        case .failed(let problem): return "\(path): not healed: \(phrase(problem))"
        }
    }

    /// Why a file was not healed.
    package static func phrase(_ problem: RecordingHealer.Problem) -> String {
        switch problem {
        case .inUse: "a process is working on it"
        case .changed: "somebody has edited, replaced or moved it"
        case .otherChanged(let path):
            "somebody has edited, replaced or moved \(TitleText.cleaned(path.joined(separator: "/")))"
        case .noGap: "its gap is closed already"
        case .otherFormat: "the frames do not fit into it"
        case .storage(let error): "\(error.message): \(error.remedy)"
        }
    }
}
