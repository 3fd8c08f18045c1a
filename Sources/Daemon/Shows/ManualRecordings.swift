// SPDX-License-Identifier: MIT

import Instants

/// All manual recordings of a daemon.
package struct ManualRecordings: Hashable, Sendable {
    /// The recordings that are not over.
    private(set) var all: [ManualRecording] = []
    /// The recordings that are over, and whose results are not known yet.
    private(set) var over: [ManualRecording] = []
    private var serial = 0

    /// The most recordings at one time.
    static let most = 100
    /// The file in the state folder that keeps the recordings for the next run.
    package static let fileName = "manual-recordings.json"

    init() {}

    /// Creates the list with the recordings of an earlier run.
    init(_ recordings: [ManualRecording], over: [ManualRecording] = []) {
        (all, self.over) = (recordings, over)
        serial = (recordings + over).map(\.number).max() ?? 0
    }

    mutating func add(_ station: String, _ span: Range<MonotonicInstant>) -> ManualRecording {
        serial += 1
        let recording = ManualRecording(number: serial, station: station, span: span)
        all.append(recording)
        return recording
    }

    /// Removes the recording with this number. Returns false if there is none.
    mutating func remove(_ number: Int) -> Bool {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return false }
        all.remove(at: index)
        return true
    }

    /// Moves the recordings that are over, and whose results need not wait, to ``over``. `stations` holds the IDs of
    /// all stations: a recording of any other station is over early.
    mutating func settle(
        at now: MonotonicInstant, stations: Set<String>, mustWait: (ManualRecording) -> Bool
    ) {
        let new = all.filter { ($0.span.upperBound <= now || !stations.contains($0.station)) && !mustWait($0) }
        all.removeAll(where: new.contains)
        over = (over + new).suffix(Self.most)
    }

    /// Removes a recording that is over and whose result was reported. If the result is unknown, the recording stays
    /// and is judged again.
    mutating func judged(_ number: Int, isUnknown: Bool) {
        guard let index = over.firstIndex(where: { $0.number == number }) else { return }
        if isUnknown { over[index].isUnknown = true } else { over.remove(at: index) }
    }

    subscript(key: UseKey) -> ManualRecording? {
        get { all.first { $0.key == key } }
        set {
            guard let index = all.firstIndex(where: { $0.key == key }), let newValue else { return }
            all[index] = newValue
        }
    }
}
