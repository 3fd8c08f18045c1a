// SPDX-License-Identifier: MIT

import Instants
import Storage

/// The files of a recording whose sidecars may still change, oldest first: complete files, files that the writer is
/// still completing, and the open file. The list only keeps their order.
final class PendingFiles {
    /// The newest complete files, whose sidecars may still change: the sidecar of the last file gets the next file's
    /// name as soon as that name is known, and a stretch may reach back into some of the files.
    private(set) var finished: [PendingFile] = []
    private(set) var ending: [PendingFile] = []
    private(set) var current: PendingFile?
    /// The number of the newest file.
    private var lastNumber = 0

    /// The files that are not complete.
    var incomplete: [PendingFile] { ending + [current].compactMap(\.self) }
    var all: [PendingFile] { finished + incomplete }

    /// The file with this ID, unless it is complete.
    subscript(id: FileID) -> PendingFile? { incomplete.first { $0.id == id } }

    /// The file before this one.
    func file(before file: PendingFile) -> PendingFile? {
        let files = all
        guard let index = files.firstIndex(where: { $0 === file }), index > 0 else { return nil }
        return files[index - 1]
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func open(_ file: PendingFile) { current = file }

    /// Closes the open file and returns it; nil if there is none.
    func close() -> PendingFile? {
        guard let file = current.take() else { return nil }
        file.stage = .ending
        ending.append(file)
        return file
    }

    /// Marks `file` as ending, and puts `next` after it: as the open file if `file` was open, otherwise as an ending
    /// file.
    func replace(_ file: PendingFile, by next: PendingFile) {
        file.stage = .ending
        if current === file {
            current = next
            ending.append(file)
        } else if let index = ending.firstIndex(where: { $0 === file }) {
            next.stage = .ending
            ending.insert(next, at: index + 1)
        }
    }

    func remove(_ file: PendingFile) {
        if file === current { current = nil } else { ending.removeAll { $0 === file } }
    }

    /// Adds a complete file. Removes and returns the files whose sidecars will not change any more. `isDone`: whether a
    /// file has what was found for it.
    func finish(
        _ file: PendingFile, now: MonotonicInstant, isDone: (PendingFile) -> Bool
    ) -> [PendingFile] {
        file.stage = .finished(at: now)
        finished.append(file)
        func isOld(_ file: PendingFile) -> Bool {
            guard case .finished(let at) = file.stage else { return false }
            return now - at > Self.longestChange && isDone(file)
        }
        var released: [PendingFile] = []
        while finished.count > 1, finished.count > Self.mostFinished || isOld(finished[0]) {
            released.append(finished.removeFirst())
        }
        return released
    }

    /// What changes a file comes at most this long after it: a stretch after 90 s, and the audio held back at a
    /// reconnect; the audio of a gap after ten minutes.
    private static let longestChange = Duration.seconds(660)
    private static let mostFinished = 200
}
