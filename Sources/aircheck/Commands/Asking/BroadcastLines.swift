// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// Lines about the broadcasts in a daemon's answer. Pure.
enum BroadcastLines {
    /// `The Morning Show on fip is not recorded: 2026-11-29 07:00 to 09:00`.
    static func lines(_ answer: JSONValue, _ verb: String) -> [String] {
        let name = "\(answer["name"].shown) on \(answer["station"].shown)"
        return answer["broadcasts"].list.map { broadcast in
            let until = broadcast["until"].shown.dropFirst(11).prefix(5)
            return "\(name) \(verb): \(Measure.minute(broadcast["from"].shown)) to \(until)"
        }
    }
}
