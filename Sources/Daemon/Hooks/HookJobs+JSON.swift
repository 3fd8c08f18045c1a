// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioFormats
import Storage

/// The events that wait for their hooks, as stored for the next run of the daemon. A hook is recognized by its whole
/// action. The file has a digest of the action, because an address in it may be a secret.
extension [HookJob] {
    /// The waiting events of an earlier run, for the hooks of the present configuration. Events of hooks that are gone
    /// or do something else now, or that are no longer notified of such events, are left out.
    init(json: JSONValue, _ hooks: [HookSettings], at clocks: ClockReading) {
        self = (json["events"]?.arrayValue ?? []).compactMap { stored in
            guard let event = stored["event"].flatMap(HookEvent.init(json:)), let id = stored["id"]?.stringValue,
                let hook = hooks.firstIndex(where: { $0.storedID == id && $0.events.contains(event.name.rawValue) })
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
            .object([
                "hook": job.settings.action.description, "id": job.settings.storedID, "failures": job.failures,
                "event": job.event.json(atMost: Self.mostListed),
            ])
        }
        let stored = StateFile.fitting(newestFirst) { $0 }
        return ["events": .array(stored.reversed())]
    }

    /// The name of the file in the state folder.
    static var fileName: String { "hooks.json" }
    private static var mostListed: Int { 50 }
}

extension HookSettings {
    /// A digest of the action: unlike an address, it is no secret.
    fileprivate var storedID: String {
        let parts =
            switch action {
            case .command(let words): ["run"] + words
            case .post(let url): ["post", url]
            case .mail(let to): ["mail", to]
            case .ntfy(let url): ["ntfy", url]
            }
        return SHA256.hexadecimal(of: parts.joined(separator: "\0").utf8, bits: 64)
    }
}
