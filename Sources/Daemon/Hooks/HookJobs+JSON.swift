// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioFormats
import Storage

/// The events that wait for their hooks, as stored for the next run of the daemon. A hook is recognized by what it
/// does, without anything that may be a secret.
extension [HookJob] {
    /// The waiting events of an earlier run, for the hooks of the present configuration. Events of hooks that are gone,
    /// or that are no longer notified of such events, are left out.
    init(json: JSONValue, _ hooks: [HookSettings], at clocks: ClockReading) {
        self = (json["events"]?.arrayValue ?? []).compactMap { stored in
            guard let event = stored["event"].flatMap(HookEvent.init(json:)), let action = stored["hook"]?.stringValue,
                let hook = hooks.firstIndex(where: { $0.storedName == action && $0.events.contains(event.kind) })
            else { return nil }
            let failures = stored["failures"]?.integerValue.flatMap { Int(exactly: $0) } ?? 0
            return HookJob(
                hook: hook, settings: hooks[hook], event: event, at: clocks, failures: Swift.max(0, failures),
                notBefore: failures > 0 ? clocks.now : nil)
        }
    }

    /// The events in a form for the next run. The newest ones that fit into a file of the state folder are kept.
    var json: JSONValue {
        let newestFirst = reversed().lazy.map { job -> JSONValue in
            [
                "hook": .string(job.settings.storedName), "failures": .integer(Int64(job.failures)),
                "event": job.event.json(atMost: Self.mostListed),
            ]
        }
        let stored = StateFile.fitting(newestFirst) { $0 }
        return ["events": .array(stored.reversed())]
    }

    /// The name of the file in the state folder.
    static var fileName: String { "hooks.json" }
    private static var mostListed: Int { 50 }
}

extension HookSettings {
    fileprivate var storedName: String { action.description }
}
