// SPDX-License-Identifier: MIT

import Platform
package import RadioCore

/// Gives audio the companions again that it has lost, or that do not fit it any more. The calls block.
///
/// Pass all segments of a walk to ``note(_:)``, then call ``next()`` until it returns false.
package struct CompanionMending {
    /// Makes a companion of complete audio; nil if the segment is to have none, or has it.
    package typealias Maker = @Sendable (Library, LibrarySegment, Sidecar) -> [UInt8]?

    private let library: Library
    private let makers: [(Companion, Maker)]
    /// The places of audio that may lack a companion.
    private var waiting: [LibraryPlace] = []

    private static let most = 100_000

    /// `makers`: of the companions that need more than the audio's bytes.
    package init(_ library: Library, _ makers: [(Companion, Maker)] = []) {
        self.library = library
        self.makers = [(.index, FrameIndex.missing)] + makers
    }

    package mutating func note(_ segment: LibrarySegment) {
        guard segment.audio != nil, !segment.isGrowing, segment.sidecar != nil, waiting.count < Self.most else {
            return
        }
        waiting.append(LibraryPlace(folders: segment.folders, name: segment.path.last ?? segment.base))
    }

    /// Looks at one segment, and reads its audio if it needs a companion. Returns false if none is left.
    package mutating func next() -> Bool {
        guard let place = waiting.popLast() else { return false }
        guard let segment = library.segment(at: place.folders + [place.name]), let sidecar = segment.sidecar,
            !segment.isGrowing
        else { return true }
        for (companion, make) in makers {
            guard let bytes = make(library, segment, sidecar) else { continue }
            try? library.withBundle(of: segment, sidecar) { bundle throws(StorageError) in
                try? bundle.adopt()
                _ = try bundle.write(companion, bytes, isComplete: true)
            }
        }
        return true
    }
}

extension FrameIndex {
    /// How much audio may follow the last entry of an index. A shorter file needs none.
    private static let longestRest = Duration.seconds(5)

    /// The index of audio that should have one, if it has none that fits up to its end.
    fileprivate static func missing(_ library: Library, _ segment: LibrarySegment, _ sidecar: Sidecar) -> [UInt8]? {
        guard sidecar.isIndexed, let name = segment.fileName, let length = sidecar.frameLength else { return nil }
        let known = try? library.inFolder(segment.folders) { folder throws(SystemError) in
            let audio = try library.system.openToRead(in: folder, name: name)
            defer { library.system.close(audio) }
            return place(upTo: sidecar.frames, of: audio, segment.base, in: folder, library.system).frame
        }
        guard let known, length * Int(clamping: sidecar.frames - known) >= longestRest else { return nil }
        return (try? library.scan(segment))?.flatMap { $0.index(sidecar) }
    }
}
