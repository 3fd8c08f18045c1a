// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore

// What lies beside the audio of segments, besides their sidecars. The calls block.
extension Library {
    /// How much audio may follow the last entry of an index. A shorter file needs none.
    private static let longestRest = Duration.seconds(5)

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

    /// The index of complete audio that should have one, if it has none that fits up to its end; nil otherwise. Reads all
    /// of the audio then.
    package func missingIndex(of segment: LibrarySegment) -> [UInt8]? {
        guard let sidecar = segment.sidecar, sidecar.isIndexed, !segment.isGrowing, let name = segment.fileName,
            let length = sidecar.frameLength
        else { return nil }
        let known = try? inFolder(segment.folders) { folder throws(SystemError) in
            let audio = try system.openToRead(in: folder, name: name)
            defer { system.close(audio) }
            return FrameIndex.place(upTo: sidecar.frames, of: audio, segment.base, in: folder, system).frame
        }
        guard let known, length * Int(clamping: sidecar.frames - known) >= Self.longestRest else { return nil }
        return (try? scan(segment))?.flatMap { $0.index(sidecar) }
    }

    /// Writes a companion of a complete segment, in the place of another; not if the segment has been deleted or changed
    /// meanwhile, or if the name belongs to somebody else's file.
    package func put(_ bytes: [UInt8], as companion: Companion, beside segment: LibrarySegment) {
        guard let sidecar = segment.sidecar, let present = self.segment(at: segment.path), !present.isGrowing,
            present.audio == segment.audio
        else { return }
        try? withBundle(of: present, sidecar) { bundle throws(StorageError) in
            bundle.adopt()
            _ = try bundle.write(companion, bytes, isComplete: true)
        }
    }
}

extension Sidecar {
    /// The seconds that have levels. A rest of less than a tenth of a second has none.
    package var seconds: Int { Int(max(0, (format.seconds(of: samples) - 0.1).rounded(.up))) }
}
