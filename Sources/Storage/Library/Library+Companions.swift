// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore

// The companions of segments other than their sidecars. The calls block.
extension Library {
    /// How much audio may follow the last entry of an index. A shorter file needs none.
    private static let longestRest = Duration.seconds(5)

    /// The bytes of a companion; nil if there is none that can be read.
    package func bytes(of companion: Companion, beside segment: LibrarySegment) -> [UInt8]? {
        let found = try? inFolder(segment.folders) { folder throws(SystemError) in
            try companion.read(of: segment.base, in: folder, system)
        }
        return found?.bytes
    }

    /// Whether complete audio should have an index, and has none that fits up to its end.
    package func lacksIndex(_ segment: LibrarySegment) -> Bool {
        guard let sidecar = segment.sidecar, sidecar.isIndexed, let length = sidecar.frameLength else { return false }
        let known = try? withAudio(of: segment) { folder, file throws(SystemError) in
            FrameIndex.place(upTo: sidecar.frames, of: file, segment.base, in: folder, system).frame
        }
        return known.map { length * Int(clamping: sidecar.frames - $0) >= Self.longestRest } ?? false
    }

    /// The index of complete audio, all of which is read; nil if it has none.
    package func index(of segment: LibrarySegment) -> [UInt8]? {
        guard let sidecar = segment.sidecar else { return nil }
        return (try? scan(segment))?.flatMap { $0.index(sidecar) }
    }

    /// Whether a companion may be written beside a segment: no file of somebody else has its name.
    package func mayPut(_ companion: Companion, beside segment: LibrarySegment) -> Bool {
        guard let sidecar = segment.sidecar else { return false }
        var mayPut = false
        try? withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            bundle.adopt()
            mayPut = bundle.owned.contains(companion) || bundle.isFree(companion)
        }
        return mayPut
    }

    /// Writes a companion of a complete segment, in the place of another; not if the segment has been deleted or
    /// changed meanwhile, or if the name belongs to somebody else's file.
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
