// SPDX-License-Identifier: MIT

import Analysis
import Configuration
import Engine
import RadioFormats

/// The silences of stations that people were told of, and not yet of their ends. They are stored, so that each of them
/// has its end told by the next run of the daemon if this one cannot do so.
final class ToldSilences: DaemonPart {
    private let context: DaemonContext
    /// What is heard instead of a programme, by the IDs of the stations.
    private var running: [String: StillnessWatch.Kind] = [:]
    /// What an earlier run has left.
    private var earlier: [String: StillnessWatch.Kind] = [:]

    /// The file in the state folder.
    static let fileName = "silences.json"

    init(_ context: DaemonContext) { self.context = context }

    func resume(_ earlier: inout EarlierRun) {
        guard case .object(let stations) = earlier.read(Self.fileName) else { return }
        for (station, kind) in stations.members.map({ ($0.name, $0.value.stringValue) }) {
            self.earlier[station] = kind.flatMap(StillnessWatch.Kind.init(rawValue:))
        }
    }

    /// Tells the ends that are left, now that hooks have their configuration.
    func use(_ configuration: Configuration) {
        guard !earlier.isEmpty else { return }
        for (station, kind) in earlier.sorted(by: { $0.key < $1.key }) {
            context.tell(.use(UseKey(station, .watch), .other(WatchReport.unwatched(kind))))
        }
        earlier = [:]
        store()
    }

    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {
        guard case .other(let report) = notice, let report = report as? WatchReport else { return }
        switch report {
        case .still(let kind, _): running[key.station] = kind
        case .sound, .unwatched: running[key.station] = nil
        case .cannotHear: return
        }
        store()
    }

    private func store() {
        let members = running.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .string($0.value.rawValue))
        }
        context.store(.object(JSONObject(distinct: members)), in: Self.fileName)
    }
}
