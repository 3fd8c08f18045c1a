// SPDX-License-Identifier: MIT

import RadioCore

/// Facts about a complete file that only the writer knows.
struct WriterFacts: Hashable, Sendable {
    /// The checksum of the frames that are in the file.
    var checksum: UInt64
    /// Whether the recording is protected, according to the sidecar on disk; nil to keep the recorder's value.
    var isProtected: Bool?

    /// Adds these facts to the recorder's sidecar.
    func added(to bytes: [UInt8]) -> [UInt8] {
        guard var sidecar = Sidecar(parsing: bytes) else { return bytes }
        sidecar.checksum = checksum
        sidecar.isProtected = isProtected ?? sidecar.isProtected
        return sidecar.encoded
    }
}
