// SPDX-License-Identifier: MIT

import Control
import RadioCore
import RadioFormats
import Storage

/// A recording, or one of its files, as listed by the daemon.
struct ListedRecording {
    var folder: String
    /// The paths of the files, relative to the folder.
    var paths: [[String]]
    /// Copies of these files, which do not count.
    var copies: [RecordedCopy]
    /// Whether these are the files of a whole recording, and not a single file.
    private var isWhole: Bool
    /// The numbers of the recording's files that the daemon has deleted.
    private var deleted: [ClosedRange<Int>]

    var library: Library { Library(path: folder, depth: NameTemplate.maxComponents) }

    /// Asks for the files of a recording, or for one of its files, whose ID is the recording's with a dot and a number.
    static func ask(_ client: ControlClient, _ id: String) throws -> ListedRecording {
        ListedRecording(try client.answer(target(id)), id)
    }

    /// Nil if `mayBeGone` and the daemon does not know the recording.
    static func ask(_ client: ControlClient, _ id: String, mayBeGone: Bool) throws -> ListedRecording? {
        guard mayBeGone else { return try ask(client, id) }
        do throws(ControlClient.Refusal) {
            return ListedRecording(try client.ask(target(id)), id)
        } catch {
            guard error.failure.failureClass != .notFound else { return nil }
            // Asked once more, to report the failure as always.
            return try ask(client, id)
        }
    }

    private static func target(_ id: String) -> ControlTarget { ControlTarget("/v1/recording").adding("id", id) }

    /// `answer`: the daemon's answer about `id`.
    private init(_ answer: JSONValue, _ id: String) {
        let paths = answer["files"].list.compactMap { $0["path"]?.stringValue }
        folder = answer["folder"]?.stringValue ?? ""
        self.paths = paths.map { $0.split(separator: "/").map(String.init) }
        copies = RecordedCopy.all(in: answer)
        isWhole = answer["recording"]?["id"]?.stringValue == id
        deleted = answer["deleted"].list.compactMap {
            guard let from = $0["from"]?.integerValue, let to = $0["to"]?.integerValue, from <= to else { return nil }
            return Int(from)...Int(to)
        }
    }

    /// Files that are gone, although other files of the recording name them.
    func holes(in recording: LibraryRecording) -> [LibraryRecording.Hole] {
        guard isWhole else { return [] }
        let folders = Set(recording.segments.map(\.folders))
        return recording.holes(deleted: deleted).filter { hole in
            !hole.named.allSatisfy { named in
                // Somebody may have changed the sidecar by which the file belongs to the recording.
                paths.contains { $0.suffix(named.count) == named[...] }
                    || folders.contains { library.segment(at: $0 + named.suffix(1))?.audio != nil }
            }
        }
    }
}
