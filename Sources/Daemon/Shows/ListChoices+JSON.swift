// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The entries of lists that are the stations, by the stations' IDs, as stored for the next run of the daemon.
extension [String: ListChoice] {
    /// The file stays small, whatever servers send.
    private static var mostBytes: Int { 1 << 18 }

    /// Malformed entries are left out.
    init(_ json: JSONValue?) {
        self.init()
        guard case .object(let stations)? = json else { return }
        for (id, stored) in stations.members.map({ ($0.name, $0.value) }) {
            let addresses = (stored["addresses"]?.arrayValue ?? []).compactMap(\.stringValue)
            guard !addresses.isEmpty, let checksum = stored["checksum"]?.stringValue else { continue }
            self[id] = ListChoice(addresses: addresses, name: stored["name"]?.stringValue, checksum: checksum)
        }
    }

    var json: JSONValue {
        var stations = JSONObject()
        var room = Self.mostBytes
        for (id, choice) in sorted(by: { $0.key < $1.key }) {
            room -= choice.addresses.reduce(id.utf8.count) { $0 + $1.utf8.count }
            guard room >= 0 else { break }
            let name = choice.name.map { JSONValue.string($0) } ?? .null
            stations.append(
                id,
                [
                    "addresses": .array(choice.addresses.map { .string($0) }), "checksum": .string(choice.checksum),
                    "name": name,
                ])
        }
        return .object(stations)
    }
}
