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
    private var records: [FoundAudio] = []

    /// Nil if there is none, or if the file is not to be healed: it is not complete, larger than `most`, or has a
    /// process that may still heal it.
    init?(of base: String, in folder: FolderWalk.Folder, atMost most: Int64, _ library: Library) {
        let segments = FileType.all.lazy.compactMap {
            library.segment(at: folder.parts + ["\(base).\($0.fileExtension)"])
        }
        guard let segment = segments.first(where: { !$0.isGrowing }), segment.audio.map({ $0.bytes <= most }) == true,
            let lock = CompanionLock(.found, of: base, in: folder.descriptor, library.system),
            let bytes = library.bytes(of: .found, beside: segment),
            bytes.starts(with: Companion.found.mark) || segment.sidecar != nil && bytes.allSatisfy({ $0 == 0 })
        else { return nil }
        (old, self.segment, folderPath, self.lock) = (segment, segment, folder.path, lock)
        // Without a sidecar, nothing says where it belongs. One that cannot be read may say so later.
        guard segment.sidecar != nil else {
            guard Companion.sidecar.exists(of: base, in: folder.descriptor, library.system) == false else { return nil }
            return
        }
        guard let file = try? library.frames(of: segment), (try? file.next(from: 0)) != nil, let format = file.format
        else { return nil }
        // The process would have put in pieces that follow each other as one.
        records = SavedAudio.audio(bytes, format).reduce(into: []) { $0.join($1) }
    }

    /// Puts in the next piece, unless it is there already. What was found later for the gap of a piece that is not put
    /// in builds on that, so it is left out as well. Once all is done, the records are removed. Returns whether there
    /// is more to do.
    mutating func step(in library: Library) -> Bool {
        guard !records.isEmpty else {
            removeRecords(library)
            return false
        }
        let audio = records.removeFirst()
        guard let place = place(of: audio, library) else { return true }
        do throws(RecordingHealer.Problem) {
            let healer = RecordingHealer(path: library.path, system: library.system)
            segment = try healer.heal(segment, before: place, with: FoundFrames(audio), now: nil)
        } catch .storage, .inUse {
            return false
        } catch {
            records.removeAll { $0.before == audio.before }
        }
        return true
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

    /// The gap to which audio belongs, behind what was put in before; nil if it is closed, or the audio is in it. What
    /// begins with the same frames is the same audio, of which more or less was known.
    private func place(of audio: FoundAudio, _ library: Library) -> Int64? {
        guard let sidecar = segment.sidecar else { return nil }
        func isThere(_ position: Int64) -> Bool {
            position - sidecar.healed.reduce(0) { $0 + ($1.position < position ? $1.frames : 0) } == audio.before
        }
        let isIn = sidecar.healed.contains { healed in
            let count = min(audio.batch.count, Int(clamping: healed.frames))
            return isThere(healed.position)
                && library.bytes(of: segment, healed.position..<healed.position + Int64(count))
                    == Array(audio.bytes[audio.batch.range(of: 0..<count)])
        }
        return isIn ? nil : sidecar.gaps.last { isThere($0.position) }?.position
    }
}

extension Library {
    /// The bytes of some frames of a file; fewer if it cannot be read.
    fileprivate func bytes(of segment: LibrarySegment, _ frames: Range<Int64>) -> [UInt8] {
        var (bytes, next) = ([UInt8](), frames.lowerBound)
        guard let file = try? self.frames(of: segment, from: next) else { return [] }
        while next < frames.upperBound, let found = try? file.next(from: next) {
            let wanted = 0..<min(found.batch.count, Int(clamping: frames.upperBound - next))
            bytes += found.bytes[found.batch.range(of: wanted)]
            next = found.end
        }
        return bytes
    }
}
