// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// An MP3 file of a given size. It repeats five minutes of 128 kbit/s from a real encoder.
struct LongFile {
    let folder: TemporaryFolder
    let path: String
    /// The size of the file, which contains only whole frames.
    let bytes: Int
    let seconds: Int

    static let name = "long.mp3"

    init(megabytes: Int) throws {
        let programme = try ReferenceProgramme(.init(.mp3(128), seconds: 300))
        let copies = (megabytes << 20) / programme.bytes.count
        folder = try TemporaryFolder("aircheck-long")
        path = folder.file(Self.name)
        bytes = copies * programme.bytes.count
        seconds = copies * programme.parameters.seconds
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SetupError("cannot create \(path): errno \(errno)") }
        defer { close(descriptor) }
        for _ in 0..<copies {
            guard write(descriptor, programme.bytes, programme.bytes.count) == programme.bytes.count else {
                throw SetupError("cannot write \(path): errno \(errno)")
            }
        }
    }
}
