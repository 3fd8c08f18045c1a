// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import RadioCore

/// The file `alive` in the state folder, in which a daemon gives signs of life. From the file the next daemon learns
/// what it has missed, and whether its own clock can be right. Its calls block. The file is not synced, and errors are
/// ignored, because losing the file is harmless: nothing is reported twice, and nothing is deleted.
package struct AliveFile: Sendable {
    /// The content of the file.
    package struct Content: Hashable, Sendable {
        /// The time up to which every show has been reported.
        package var judgedUntil: WallInstant
        /// The time since which the clock had run without a step; nil in a file of an earlier version.
        package var steadySince: WallInstant?
        /// When the file was written; nil in a file of an earlier version.
        package var lastSign: WallInstant?

        package init(judgedUntil: WallInstant, steadySince: WallInstant? = nil, lastSign: WallInstant? = nil) {
            (self.judgedUntil, self.steadySince, self.lastSign) = (judgedUntil, steadySince, lastSign)
        }
    }

    package static let name = "alive"

    private let folder: String
    private let system: any FileSystemCalls

    private static let largest: Int64 = 100

    package init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.system = system
    }

    /// Reads the file; nil if it is missing or malformed.
    package func read() -> Content? {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return nil }
        defer { system.close(folder) }
        guard let file = try? system.openToRead(in: folder, name: Self.name) else { return nil }
        defer { system.close(file) }
        guard let status = try? system.status(of: file), status.isRegularFile, status.size <= Self.largest,
            let bytes = try? system.readAll(file, from: 0, to: status.size)
        else { return nil }
        let times = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).split(separator: " ")
            .map { CivilTime(rfc3339: String($0))?.instant }
        guard let judgedUntil = times.first ?? nil else { return nil }
        return Content(
            judgedUntil: judgedUntil, steadySince: times.count > 1 ? times[1] : nil,
            lastSign: times.count > 2 ? times[2] : nil)
    }

    package func write(_ content: Content) {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return }
        defer { system.close(folder) }
        let opened =
            (try? system.openFile(in: folder, name: Self.name))
            ?? (try? system.createFile(in: folder, name: Self.name))
        guard let file = opened else { return }
        defer { system.close(file) }
        // The length of the text never changes, so that a reader always finds a whole file.
        let text = [
            content.judgedUntil, content.steadySince ?? content.judgedUntil, content.lastSign ?? content.judgedUntil,
        ].map { CivilTime($0, utcOffset: 0).rfc3339 }
        try? system.writeAll(file, Array((text.joined(separator: " ") + "\n").utf8), at: 0)
    }
}
