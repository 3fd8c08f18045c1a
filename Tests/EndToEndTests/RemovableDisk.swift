// SPDX-License-Identifier: MIT

import Foundation
import TestTools

/// A file system of its own, mounted at a folder, that can be taken away and brought back while a program uses it. Only
/// programs that are started by way of ``entry`` see it; all others see the empty folder below it. Root is not needed.
///
/// The mounts are in a namespace of a process that does nothing else, and last as long as the object.
final class RemovableDisk: Sendable {
    private let keeper: ChildProcess
    private let folder: TemporaryFolder
    private let name: String

    /// Makes a folder of this name, and mounts the file system there. `size` is an option of `mount`, such as `160k`;
    /// nil for no limit.
    init(in folder: TemporaryFolder, at name: String, size: String? = nil) async throws {
        (self.folder, self.name) = (folder, name)
        try folder.make(name)
        try folder.make(Self.hold)
        // A second mount keeps the file system alive while the mount at `name` is removed.
        let limit = size.map { "-o size=\($0)" } ?? ""
        let script = """
            mount -t tmpfs \(limit) none \(Self.hold) && mount --bind \(Self.hold) '\(name)' && touch mounted && exec sleep infinity
            """
        let keeper = try ChildProcess(
            .unshare, ["--map-root-user", "--mount", "--", "/bin/sh", "-c", script], directory: folder.path)
        self.keeper = keeper
        entry = [
            try Tool.nsenter.path(), "--target", "\(keeper.pid)", "--user", "--preserve-credentials", "--mount", "--",
        ]
        let isMounted = try await waitUntil(.seconds(20)) {
            !keeper.isRunning || folder.names().contains("mounted")
        }
        guard isMounted, keeper.isRunning else { throw SetupError("no file system: \(keeper.errorSoFar)") }
    }

    private static let hold = "disk"

    /// The command that starts a program so that it sees the file system. The program has the same process ID as the
    /// command.
    let entry: [String]

    /// Unmounts the file system, as `umount -l` does: files that are open stay open.
    func takeAway() async throws { try await run(["umount", "-l", folder.file(name)]) }

    /// Mounts the file system again.
    func bringBack() async throws { try await run(["mount", "--bind", folder.file(Self.hold), folder.file(name)]) }

    private func run(_ command: [String]) async throws {
        let words = entry + command
        let outcome = try await ChildProcess(words[0], Array(words.dropFirst())).outcome(within: .seconds(20))
        guard outcome.succeeded else { throw SetupError("\(command) failed: \(outcome.standardError)") }
    }

    /// The names of the files on the file system, or in a folder on it, sorted.
    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    /// The bytes of a file on the file system.
    func read(_ name: String) throws -> [UInt8] { try bytes(ofFile: path + "/" + name) }

    private var path: String { "/proc/\(keeper.pid)/root" + folder.file(Self.hold) }
}
