// SPDX-License-Identifier: MIT

import Configuration
import Decoding
package import Engine
import RadioCore

extension CompanionReport: Worded {
    package func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence? {
        switch self {
        case .cannotHear(let companion, let error):
            return Occurrence(unheard: subject, error, "recordings get no \(companion.rawValue)")
        }
    }
}

extension Occurrence {
    /// What cannot be done, because the audio of a station cannot be decoded.
    init(unheard subject: Subject, _ error: DecodingError, _ consequence: String) {
        let (reason, remedy) =
            switch error {
            case .missing(let name, let package): ("\(name) is not installed", "install \(package)")
            case .damagedFrame(let cause), .failed(let cause): (cause, "see whether other programs play it")
            case .broken(let cause, let remedy): (cause, remedy)
            }
        self.init(
            .warning, "cannot hear", of: subject,
            "the station's audio cannot be decoded, so \(consequence): \(reason); \(remedy)",
            fault: "\(subject.station ?? "") \(consequence): \(reason)")
    }
}
