// SPDX-License-Identifier: MIT

import Configuration
package import Daemon

extension HookNotice: Worded {
    package func occurrence(of subject: Occurrence.Subject, in context: Occurrence.Context) -> Occurrence? {
        switch self {
        case .failed(let hook, let event, let why):
            Occurrence(
                .error, "hook failed", with: ["hook": "\(hook + 1)", "event": event.rawValue],
                "hook \(hook + 1) failed for \(event.rawValue): \(why)", fault: "hook \(hook) \(why)")
        case .output(let hook, let text):
            Occurrence(.info, "hook output", with: ["hook": "\(hook + 1)"], "hook \(hook + 1): \(text)")
        case .dropped(let count):
            Occurrence(
                .warning, "hooks dropped", with: ["count": "\(count)"],
                "hooks did not get \(Measure.count(count, "event")): too many events were queued")
        }
    }
}
