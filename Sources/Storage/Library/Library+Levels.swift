// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore

// The loudness of each second, beside the audio of segments.
extension Library {
    /// The levels of a segment, as long as its audio; nil if there are none that can be read.
    package func levels(of segment: LibrarySegment) -> Levels? {
        let bytes = try? inFolder(segment.folders) { folder throws(SystemError) in
            let file = try system.openToRead(in: folder, name: Companion.levels.name(of: segment.base))
            defer { system.close(file) }
            let status = try system.status(of: file)
            guard status.isRegularFile, status.size <= Levels.maximumLength else { throw SystemError(number: EFBIG) }
            return try system.readAll(file, from: 0, to: status.size)
        }
        guard var levels = bytes.flatMap(Levels.init(bytes:)) else { return nil }
        // The sidecar of a growing file is older than its levels.
        if let sidecar = segment.sidecar, !segment.isGrowing { levels.resize(to: sidecar.seconds) }
        return levels
    }

    /// The path of a segment's audio; nil if there is none.
    package func audioPath(of segment: LibrarySegment) -> String? {
        segment.fileName.map { ([path] + segment.folders + [$0]).joined(separator: "/") }
    }

    /// Writes the levels of a complete segment, in the place of others.
    package func put(_ levels: Levels, beside segment: LibrarySegment) throws(StorageError) {
        guard let sidecar = segment.sidecar else { return }
        try withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            try? bundle.adopt()
            _ = try bundle.write(.levels, levels.bytes, isComplete: true)
        }
    }
}

extension Sidecar {
    /// The seconds that have levels. A rest of less than a tenth of a second has none.
    package var seconds: Int { Int(max(0, (format.seconds(of: samples) - 0.1).rounded(.up))) }
}
