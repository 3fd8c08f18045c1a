// SPDX-License-Identifier: MIT

import Engine

/// A recording at the moment, and the file that it writes.
package struct FileUnderWay: Hashable, Sendable {
    package var key: UseKey
    /// The ID of the recording.
    package var recording: String
    /// The absolute path of the file, once it is finished; nil if there is none yet.
    package var file: String?
    /// The absolute path of the recording's first file; nil if there is none yet.
    package var firstFile: String?

    package init(key: UseKey, recording: String, file: String?, firstFile: String? = nil) {
        self.key = key
        self.recording = recording
        self.file = file
        self.firstFile = firstFile ?? file
    }
}

/// The uses that the daemon has begun and that have not ended.
struct BegunUses {
    private struct Entry {
        var key: UseKey
        /// The ID of the recording; nil if the use is not a recording.
        var recording: String?
        /// The absolute path of the file being written; nil before the first file.
        var file: String?
        /// The absolute path of the first file.
        var firstFile: String?
        /// Whether another use for the same purpose begins as soon as this one has ended.
        var isFollowed = false
    }

    private var entries: [UseID: Entry] = [:]

    mutating func begin(_ id: UseID, _ key: UseKey, recording: String?) {
        entries[id] = Entry(key: key, recording: recording)
    }

    /// Removes a use that has ended. Returns its purpose; nil if the use is unknown.
    mutating func end(_ id: UseID) -> UseKey? { entries.removeValue(forKey: id)?.key }

    func key(of id: UseID) -> UseKey? { entries[id]?.key }

    /// The ID of a use's recording; empty if it has none.
    func recording(of id: UseID) -> String { entries[id]?.recording ?? "" }

    func isRunning(_ key: UseKey) -> Bool { entries.values.contains { $0.key == key } }

    func needs(station: String) -> Bool { entries.values.contains { $0.key.station == station } }

    /// The IDs of the recordings.
    var recordings: Set<String> { Set(entries.values.compactMap(\.recording)) }

    /// The IDs of the recordings that have an end: recordings of shows and manual recordings.
    var finiteRecordings: Set<String> {
        Set(entries.values.filter { $0.key.kind != .log }.compactMap(\.recording))
    }

    /// The recordings by the IDs of their stations.
    var recordingsByStation: [String: [(id: UseID, key: UseKey)]] {
        Dictionary(
            grouping: entries.filter { $0.value.recording != nil }.map { (id: $0.key, key: $0.value.key) },
            by: \.key.station)
    }

    /// Notes that another use for the same purpose begins as soon as this one has ended.
    mutating func noteFollowed(_ id: UseID) { entries[id]?.isFollowed = true }

    func isFollowed(_ id: UseID) -> Bool { entries[id]?.isFollowed == true }

    /// Notes a file of a use. Returns whether it is the use's first file.
    mutating func note(file: String, of id: UseID) -> Bool {
        guard var entry = entries[id] else { return false }
        let isFirst = entry.file == nil
        if isFirst { entry.firstFile = file }
        entry.file = file
        entries[id] = entry
        return isFirst
    }

    /// The recordings of a station, in the order of their keys.
    func filesUnderWay(of station: String) -> [FileUnderWay] {
        entries.values.filter { $0.key.station == station }.compactMap { entry in
            entry.recording.map {
                FileUnderWay(key: entry.key, recording: $0, file: entry.file, firstFile: entry.firstFile)
            }
        }.sorted { $0.key.description < $1.key.description }
    }
}
