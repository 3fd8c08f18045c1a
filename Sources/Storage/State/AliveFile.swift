// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import Platform
import RadioCore

/// `alive` in the state folder: when a daemon ran last, to the minute, so that the next one knows what it has missed.
/// Blocks. Only reports depend on it, so it is not synced, and errors are ignored.
package struct AliveFile: Sendable {
    package static let name = "alive"

    private let folder: String
    private let system: any FileSystemCalls

    private static let largest: Int64 = 100

    package init(folder: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.folder = folder
        self.system = system
    }

    /// Nil if there is none, or if it makes no sense.
    package func read() -> WallInstant? {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return nil }
        defer { system.close(folder) }
        guard let file = try? system.openToRead(in: folder, name: Self.name) else { return nil }
        defer { system.close(file) }
        guard let status = try? system.status(of: file), status.isRegularFile, status.size <= Self.largest,
            let bytes = try? system.readAll(file, from: 0, to: status.size)
        else { return nil }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return CivilTime(rfc3339: text)?.instant
    }

    package func write(_ now: WallInstant) {
        guard let folder = try? system.openFolder(path: folder, followsLink: true) else { return }
        defer { system.close(folder) }
        let opened =
            (try? system.openFile(in: folder, name: Self.name))
            ?? (try? system.createFile(in: folder, name: Self.name))
        guard let file = opened else { return }
        defer { system.close(file) }
        // Always as many bytes, so that the file is whole whenever it is read.
        let text = CivilTime(now, utcOffset: 0).rfc3339 + "\n"
        try? system.writeAll(file, Array(text.utf8), at: 0)
    }
}
