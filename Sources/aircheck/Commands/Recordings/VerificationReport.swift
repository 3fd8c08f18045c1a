// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// What `aircheck recordings verify` has found. Pure.
struct VerificationReport {
    /// A file, or files that are gone together.
    struct File {
        /// The paths below the recordings folder, as text that leads back to their bytes (``PathText``).
        var path: String
        /// What was found, in words.
        var words: String
        var isRight: Bool

        init(paths: [[String]], words: String, isRight: Bool) {
            path = paths.map { $0.joined(separator: "/") }.joined(separator: ", ")
            (self.words, self.isRight) = (words, isRight)
        }
    }

    private(set) var recordings = 0
    private(set) var files = 0
    /// The number of files at which something is wrong.
    private(set) var damaged = 0
    private var listed: [JSONValue] = []

    /// Adds a recording. `listsFiles`: whether ``json`` is wanted.
    mutating func add(_ recording: String, _ files: [File], copies: [RecordedCopy] = [], listsFiles: Bool) {
        recordings += 1
        self.files += files.count
        damaged += files.count { !$0.isRight }
        guard listsFiles else { return }
        var object: JSONObject = [
            "recording": recording, "ok": files.allSatisfy(\.isRight),
            "files": files.map { ["path": $0.path, "ok": $0.isRight, "message": $0.words] as JSONObject },
            "copies": copies.map { ["path": $0.path, "original": $0.original] as JSONObject },
        ]
        object.noteRawBytes(of: files.map(\.path) + copies.flatMap { [$0.path, $0.original] })
        listed.append(.object(object))
    }

    var json: JSONValue {
        .object([
            "recordings": listed, "recordings_verified": recordings, "files_verified": files,
            "files_damaged": damaged,
        ])
    }

    /// One line: `12 recordings in 340 files: all is well`.
    var summary: String {
        let verdict = damaged == 0 ? "all is well" : "something is wrong with \(Measure.count(damaged, "file"))"
        return "\(Measure.count(recordings, "recording")) in \(Measure.count(files, "file")): \(verdict)"
    }
}
