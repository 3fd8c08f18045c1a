// SPDX-License-Identifier: MIT

import Platform
package import RadioCore

/// Gives audio the index again that it has lost, or that does not fit it any more (``FrameIndex``). The calls block.
///
/// Pass all segments of a walk to ``note(_:)``, then call ``next()`` until it returns false.
package struct LibraryIndexing {
    private let library: Library
    /// The places of segments that have to have an index.
    private var waiting: [LibraryPlace] = []

    private static let most = 100_000
    /// How much audio may follow the last entry of an index. A shorter file needs none.
    private static let longestRest = Duration.seconds(5)

    package init(_ library: Library) { self.library = library }

    package mutating func note(_ segment: LibrarySegment) {
        guard segment.audio != nil, !segment.isGrowing, segment.sidecar?.isIndexed == true, waiting.count < Self.most
        else { return }
        waiting.append(LibraryPlace(folders: segment.folders, name: segment.path.last ?? segment.base))
    }

    /// Looks at one segment, and reads its audio if it needs an index. Returns false if none is left.
    package mutating func next() -> Bool {
        guard let place = waiting.popLast() else { return false }
        guard let segment = library.segment(at: place.folders + [place.name]), let sidecar = segment.sidecar,
            let name = segment.fileName, !segment.isGrowing, !isWhole(segment, sidecar, name),
            let index = (try? library.scan(segment))?.flatMap({ $0.index(sidecar) })
        else { return true }
        try? library.withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            try? bundle.adopt()
            _ = try bundle.write(.index, index, isComplete: true)
        }
        return true
    }

    /// Whether the audio has an index that fits up to its end.
    private func isWhole(_ segment: LibrarySegment, _ sidecar: Sidecar, _ name: String) -> Bool {
        let found = try? library.inFolder(segment.folders) { folder throws(SystemError) in
            let audio = try library.system.openToRead(in: folder, name: name)
            defer { library.system.close(audio) }
            return FrameIndex.place(upTo: sidecar.frames, of: audio, segment.base, in: folder, library.system).frame
        }
        guard let found, let length = sidecar.frameLength else { return false }
        return length * Int(clamping: sidecar.frames - found) < Self.longestRest
    }
}
