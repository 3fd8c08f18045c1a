// SPDX-License-Identifier: MIT

import Instants
import Storage

/// The files of a recording whose sidecars may still change, oldest first: complete files, files that the writer is
/// still completing, and the open file. The list only keeps their order.
struct RecorderFiles {
    /// The newest complete files, whose sidecars may still change: the sidecar of the last file gets the next file's
    /// name as soon as that name is known, and a stretch may reach back into some of the files.
    private(set) var finished: [RecorderFile] = []
    private(set) var ending: [RecorderFile] = []
    private(set) var current: RecorderFile?
    /// The number of the newest file.
    private var lastNumber = 0

    /// The files that are not complete.
    var incomplete: [RecorderFile] { ending + [current].compactMap(\.self) }
    var all: [RecorderFile] { finished + incomplete }

    /// The file with this ID, unless it is complete.
    subscript(id: FileID) -> RecorderFile? { incomplete.first { $0.id == id } }

    /// The file before this one.
    func file(before file: RecorderFile) -> RecorderFile? {
        let files = all
        guard let index = files.firstIndex(where: { $0 === file }), index > 0 else { return nil }
        return files[index - 1]
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func open(_ file: RecorderFile) {
        current = file
    }

    /// Closes the open file and returns it; nil if there is none.
    mutating func close() -> RecorderFile? {
        guard let file = current else { return nil }
        current = nil
        file.stage = .ending
        ending.append(file)
        return file
    }

    /// Marks `file` as ending, and puts `next` after it: as the open file if `file` was open, otherwise as an ending
    /// file.
    mutating func replace(_ file: RecorderFile, by next: RecorderFile) {
        file.stage = .ending
        if current === file {
            current = next
            ending.append(file)
        } else if let index = ending.firstIndex(where: { $0 === file }) {
            next.stage = .ending
            ending.insert(next, at: index + 1)
        }
    }

    @discardableResult
    mutating func remove(_ id: FileID) -> RecorderFile? {
        guard let file = self[id] else { return nil }
        if file === current { current = nil } else { ending.removeAll { $0 === file } }
        return file
    }

    /// Removes and returns all files that are not complete.
    mutating func removeIncomplete() -> [RecorderFile] {
        defer {
            ending = []
            current = nil
        }
        return incomplete
    }

    mutating func finish(_ file: RecorderFile, now: MonotonicInstant) {
        file.stage = .finished(at: now)
        finished.append(file)
    }

    /// Removes and returns the files whose sidecars will not change any more.
    mutating func release(now: MonotonicInstant) -> [RecorderFile] {
        let isOld = { (file: RecorderFile) in
            guard case .finished(let at) = file.stage else { return false }
            return now - at > Self.longestStretch
        }
        var released: [RecorderFile] = []
        while finished.count > 1, finished.count > Self.mostFinished || isOld(finished[0]) {
            released.append(finished.removeFirst())
        }
        return released
    }

    /// The longest time between the frames of a stretch and its report: 90 s, and the audio held back at a reconnect.
    private static let longestStretch = Duration.seconds(180)
    private static let mostFinished = 200
}
