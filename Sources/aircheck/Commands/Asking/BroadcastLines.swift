// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// Lines about the broadcasts in a daemon's answer. Pure.
enum BroadcastLines {
    /// `The Morning Show on fip is not recorded: 2026-11-29 07:00 to 09:00`.
    static func lines(_ answer: JSONValue, _ verb: String) -> [String] {
        let name = "\(text(answer["name"])) on \(text(answer["station"]))"
        return (answer["broadcasts"]?.arrayValue ?? []).map { broadcast in
            let until = text(broadcast["until"]).dropFirst(11).prefix(5)
            return "\(name) \(verb): \(Measure.minute(text(broadcast["from"]))) to \(until)"
        }
    }

    private static func text(_ value: JSONValue?) -> String { TitleText.cleaned(value?.stringValue ?? "") }
}
