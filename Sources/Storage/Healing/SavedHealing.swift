// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Puts the audio that lies beside a complete file into it (``SavedAudio``), piece by piece: its process died before
/// that was done. Its calls block.
struct SavedHealing {
    private let old: LibrarySegment
    private var segment: LibrarySegment
    private let folderPath: String
    private let lock: CompanionLock
    private let saved: SavedAudioFile
    private var pieces: [FoundPiece] = []

    /// Nil if there is none, or if the file is not to be healed: it is not complete, larger than `most` with what was
    /// found for it, or has a process that may still heal it.
    init?(of base: String, in folder: FolderWalk.Folder, atMost most: Int64, _ library: Library) {
        let segments = FileType.all.lazy.compactMap {
            library.segment(at: folder.parts + ["\(base).\($0.fileExtension)"])
        }
        guard let segment = segments.first(where: { !$0.isGrowing }), let size = segment.audio?.bytes,
            let lock = CompanionLock(.found, of: base, in: folder.descriptor, library.system),
            let saved = SavedAudioFile(of: base, in: folder.descriptor, library.system),
            size <= most - saved.size, let begin = try? saved.begin(),
            begin == Companion.found.mark || segment.sidecar != nil && begin.allSatisfy({ $0 == 0 })
        else { return nil }
        (old, self.segment, folderPath, self.lock, self.saved) = (segment, segment, folder.path, lock, saved)
        // Without a sidecar, nothing says where it belongs. One that cannot be read may say so later.
        guard let sidecar = segment.sidecar else {
            guard Companion.sidecar.exists(of: base, in: folder.descriptor, library.system) == false else { return nil }
            return
        }
        guard let file = try? library.frames(of: segment), (try? file.next(from: 0)) != nil, let format = file.format,
            let all = try? saved.pieces(format)
        else { return nil }
        pieces = Self.missing(all, in: sidecar).joined
    }

    /// Puts in the next piece. What was found later for the gap of a piece that is not put in builds on that, so it is
    /// left out as well. Once all is done, the records are removed. Returns whether there is more to do.
    mutating func step(in library: Library) -> Bool {
        guard !pieces.isEmpty else {
            removeRecords(library)
            return false
        }
        let piece = pieces.removeFirst()
        // The gap lies behind what was put in before; it may be closed.
        guard let sidecar = segment.sidecar,
            let gap = sidecar.gaps.last(where: { sidecar.former($0.position) == piece.before })
        else { return true }
        do throws(RecordingHealer.Problem) {
            let healer = RecordingHealer(path: library.path, system: library.system)
            segment = try healer.heal(segment, before: gap.position, with: FoundFrames(piece, saved), now: nil)
        } catch .storage, .inUse {
            return false
        } catch {
            pieces.removeAll { $0.before == piece.before }
        }
        return true
    }

    /// What the file does not have yet. The pieces of each gap are put in in their order, so as many frames of them
    /// are in the file as were put in there. Other frames may be those of a piece, so nothing is put in beside them.
    private static func missing(_ pieces: [FoundPiece], in sidecar: Sidecar) -> [FoundPiece] {
        var put: [Int64: Int64] = [:]
        for healed in sidecar.healed { put[sidecar.former(healed.position), default: 0] += healed.frames }
        var refused: Set<Int64> = []
        return pieces.filter { piece in
            guard let rest = put[piece.before], rest > 0 else { return !refused.contains(piece.before) }
            put[piece.before] = rest - Int64(piece.frames)
            if rest < piece.frames { refused.insert(piece.before) }
            return false
        }
    }

    private func removeRecords(_ library: Library) {
        try? library.inFolder(segment.folders) { folder throws(SystemError) in
            // Only what was found for it needed this sidecar.
            if segment.sidecar?.isKept == false {
                try library.system.remove(in: folder, name: Companion.sidecar.name(of: segment.base))
            }
            try library.system.remove(in: folder, name: Companion.found.name(of: segment.base))
        }
    }

    /// The file, if anything was put in.
    var healed: RecoveredFile? {
        guard segment != old, var sidecar = segment.sidecar, let name = segment.fileName else { return nil }
        sidecar.isKept = true
        var file = RecoveredFile(
            path: "\(folderPath)/\(name)", frames: sidecar.frames, bytes: sidecar.bytes,
            seconds: sidecar.format.seconds(of: sidecar.samples), outcome: .completed)
        (file.isRevised, file.sidecar) = (true, sidecar)
        return file
    }
}

extension Sidecar {
    /// The position of a frame before anything was put into gaps.
    fileprivate func former(_ position: Int64) -> Int64 {
        position - healed.reduce(0) { $0 + ($1.position < position ? $1.frames : 0) }
    }
}
