// SPDX-License-Identifier: MIT

import RadioCore

/// What the disk knows of a complete file, and the recorder that describes it does not. A value.
struct SidecarSeal: Hashable, Sendable {
    /// The checksum of the frames that are in the file.
    var checksum: UInt64
    /// Whether the recording is protected, where somebody may have changed that; nil for no change.
    var isProtected: Bool?

    /// The recorder's sidecar with this in it.
    func put(on bytes: [UInt8]) -> [UInt8] {
        guard var sidecar = Sidecar(parsing: bytes) else { return bytes }
        sidecar.checksum = checksum
        sidecar.isProtected = isProtected ?? sidecar.isProtected
        return sidecar.encoded
    }
}
