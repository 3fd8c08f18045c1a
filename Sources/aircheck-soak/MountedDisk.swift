// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// An ext4 file system on a loop device, which needs root. Unmounted when the object is released.
final class MountedDisk {
    let path: String
    private let folder: TemporaryFolder

    init(megabytes: Int = 64) throws {
        folder = try TemporaryFolder("aircheck-disk")
        path = folder.file("disk")
        try folder.make("disk")
        try Self.run("truncate", ["--size=\(megabytes)M", folder.file("image")])
        try Self.run("mkfs.ext4", ["-q", folder.file("image")])
        try Self.run("mount", ["-o", "loop", folder.file("image"), path])
    }

    deinit {
        try? freeze(false)
        try? Self.run("umount", ["--lazy", path])
    }

    func freeze(_ isFrozen: Bool) throws { try Self.run("fsfreeze", [isFrozen ? "-f" : "-u", path]) }

    /// Writes a file until its file system is full.
    static func fill(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw SetupError("\(path) cannot be made: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let outcome = try ChildProcess("/usr/bin/env", [program] + arguments).wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("\(program) failed: \(outcome.standardError)") }
    }
}
