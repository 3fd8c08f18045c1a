// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// Keeps the entries of lists that are the stations, by the stations' IDs, and stores them: recordings of the next run
/// of the daemon continue with them.
final class ListChoices {
    private let context: DaemonContext
    private var choices: [String: ListChoice] = [:]
    private var hasStored = true

    /// The file in the state folder.
    static let fileName = "list-choices.json"

    init(_ context: DaemonContext) { self.context = context }

    /// The list entry that was chosen for a station; nil if none has been.
    subscript(station: String) -> ListChoice? { choices[station] }

    /// Continues with the entries that an earlier run has stored.
    func resume(_ json: JSONValue) { choices = [String: ListChoice](json) }

    /// Makes an entry the one that is the station.
    func note(_ choice: ListChoice, of station: String) {
        if choices.updateValue(choice, forKey: station) != choice { store() }
    }

    /// Forgets the stations that are gone.
    func keep(only stations: some Sequence<String>) {
        let stations = Set(stations)
        let kept = choices.filter { stations.contains($0.key) }
        guard kept.count < choices.count || !hasStored else { return }
        choices = kept
        store()
    }

    private func store() {
        hasStored = false
        context.store(choices.json, in: Self.fileName) { [weak self] fault in
            if fault == nil { self?.hasStored = true }
        }
    }
}

extension [String: ListChoice] {
    /// Malformed entries are left out.
    init(_ json: JSONValue) {
        self.init()
        guard case .object(let stations) = json else { return }
        for (id, stored) in stations.members.map({ ($0.name, $0.value) }) {
            let addresses = (stored["addresses"]?.arrayValue ?? []).compactMap(\.stringValue)
            guard !addresses.isEmpty, let checksum = stored["checksum"]?.stringValue else { continue }
            let before = stored["before"]?.arrayValue?.compactMap(\.stringValue)
            self[id] = ListChoice(
                addresses: addresses, name: stored["name"]?.stringValue, before: before, checksum: checksum)
        }
    }

    /// The form for the next run: as many as the file has room for, whatever servers send.
    var json: JSONValue {
        let entries = sorted { $0.key < $1.key }.map { id, choice in
            let value: JSONObject = [
                "addresses": choice.addresses, "checksum": choice.checksum, "name": choice.name,
                "before": choice.before,
            ]
            return JSONObject.Member(name: id, value: .object(value))
        }
        return .object(JSONObject(distinct: StateFile.fitting(entries) { [.string($0.name), $0.value] }))
    }
}
