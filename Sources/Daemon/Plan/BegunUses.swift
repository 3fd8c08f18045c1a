// SPDX-License-Identifier: MIT

import Engine
import Instants

/// The uses that the daemon has begun and that have not ended.
struct BegunUses {
    struct Entry {
        let key: UseKey
        let plan: any UsePlan
        let programmes: [ProgrammeID]
        let since: MonotonicInstant
        /// Whether the use was asked to end.
        var isEnding = false
        /// Whether another use for the same purpose begins as soon as this one has ended.
        var isFollowed = false
        /// The ID of the recording; nil if the use is not a recording.
        var recording: String?
        /// The absolute path of the file being written; nil before the first file.
        var file: String?
        /// The absolute path of the first file.
        var firstFile: String?
    }

    private(set) var entries: [UseID: Entry] = [:]
    /// The uses that are not ending.
    private(set) var current: [UseKey: UseID] = [:]

    subscript(id: UseID) -> Entry? { entries[id] }

    mutating func begin(_ id: UseID, _ entry: Entry) {
        entries[id] = entry
        current[entry.key] = id
    }

    /// Removes a use that was asked to end from those that run.
    mutating func retire(_ id: UseID) {
        guard let key = entries[id]?.key else { return }
        entries[id]?.isEnding = true
        current[key] = nil
    }

    /// Removes a use that has ended, and returns it; nil if the use is unknown.
    mutating func end(_ id: UseID) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if !entry.isEnding { current[entry.key] = nil }
        return entry
    }

    /// Whether a use for this purpose has begun and not ended yet.
    func isRunning(_ key: UseKey) -> Bool { entries.values.contains { $0.key == key } }

    func needs(station: String) -> Bool { entries.values.contains { $0.key.station == station } }

    // MARK: Recordings

    /// The ID of a use's recording; empty if it has none.
    func recording(of id: UseID) -> String { entries[id]?.recording ?? "" }

    /// The IDs of the recordings under way.
    var recordings: Set<String> { Set(entries.values.compactMap(\.recording)) }

    /// The IDs of those recordings under way that have an end: recordings of shows and manual recordings.
    var finiteRecordings: Set<String> {
        Set(entries.values.filter { $0.plan.recording?.span != nil }.compactMap(\.recording))
    }

    /// The recordings under way by the IDs of their stations.
    var recordingsByStation: [String: [(id: UseID, key: UseKey)]] {
        Dictionary(
            grouping: entries.filter { $0.value.recording != nil }.map { (id: $0.key, key: $0.value.key) },
            by: \.key.station)
    }

    mutating func note(recording: String, of id: UseID) { entries[id]?.recording = recording }

    /// Marks a use as followed: another one for the same purpose begins as soon as this one has ended.
    mutating func noteFollowed(_ id: UseID) { entries[id]?.isFollowed = true }

    /// Makes a file the newest of a use. Returns whether it is the use's first file.
    mutating func note(file: String, of id: UseID) -> Bool {
        guard let entry = entries[id] else { return false }
        if entry.file == nil { entries[id]?.firstFile = file }
        entries[id]?.file = file
        return entry.file == nil
    }

    /// The recordings of a station at the moment, with their files, in the order of their keys.
    func filesUnderWay(of station: String) -> [FileUnderWay] {
        entries.values.filter { $0.key.station == station }.compactMap { entry in
            entry.recording.map {
                FileUnderWay(key: entry.key, recording: $0, file: entry.file, firstFile: entry.firstFile)
            }
        }.sorted { $0.key.description < $1.key.description }
    }
}

/// A recording at the moment, and the file that it writes.
package struct FileUnderWay: Hashable, Sendable {
    package var key: UseKey
    /// The ID of the recording.
    package var recording: String
    /// The absolute path of the file, once it is finished; nil if there is none yet.
    package var file: String?
    /// The absolute path of the recording's first file; nil if there is none yet.
    package var firstFile: String?
}
