// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioCore
import TestTools

/// A wall clock that a program sees instead of the machine's, by libfaketime. Monotonic clocks and the times of files
/// stay true.
struct FakedClock: Sendable {
    private let path: String

    /// The offset from the machine's clock is kept in a file of this folder.
    init(in folder: TemporaryFolder, at start: WallInstant) throws {
        path = folder.file("clock")
        try set(to: start)
    }

    /// Sets the clock. The program sees it within a second, but gets no notification.
    func set(to instant: WallInstant) throws {
        let now = WallInstant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
        let offset = (instant - now).inSeconds
        try Data("\(offset < 0 ? "" : "+")\(offset)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// The environment variables with which a program sees this clock. `FAKETIME_FORCE_MONOTONIC_FIX` switches off a
    /// workaround for an old C library. With it, a thread that waits for a condition does not sleep.
    func environment() throws -> [String: String] {
        [
            "LD_PRELOAD": try Self.library(), "FAKETIME_TIMESTAMP_FILE": path, "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        ]
    }

    /// The library is where Debian puts it for this kind of processor.
    private static func library() throws -> String {
        _ = try Tool.faketime.path()
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? [] {
            let path = "/usr/lib/\(folder)/faketime/libfaketimeMT.so.1"
            if FileManager.default.fileExists(atPath: path) { return path }
        }
        throw SetupError("libfaketimeMT.so.1 is missing: install the package libfaketime (`make test` does)")
    }
}
