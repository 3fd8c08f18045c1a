// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import Platform
package import RadioCore
import RadioFormats

/// Puts found audio into a gap of a complete file. Its calls block.
///
/// The healed file is composed beside the old one and synced. Then the old sidecar says what is about to be done, the
/// two files exchange their names, and the new sidecar is written. If the process dies in between, recovery finds the
/// old sidecar, and the checksum of the audio tells it which of the two files has the name (``Sidecar/settled(for:)``).
/// The other one has the name of a temporary file, and is removed.
package struct RecordingHealer {
    /// Why a file is as it was.
    package enum Problem: Error, Hashable, Sendable {
        /// The file is not complete, or a process is working on it.
        case inUse
        /// The file is not what its sidecar says, or not what the caller knows: somebody has edited, replaced or moved
        /// it.
        case changed
        /// The other file with this path, which has the audio or proves its place, is not what its sidecar says.
        case otherChanged([String])
        /// No audio is missing there.
        case noGap
        /// The frames cannot be in the file: a decoder would play them as noise.
        case otherFormat
        case storage(StorageError)
    }

    let path: String
    let system: any FileSystemCalls

    /// `path` is the recordings folder.
    package init(path: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.path = path
        self.system = system
    }

    /// Puts frames into the gap before a frame of the file; nil only looks whether that could be done. `now`: when that
    /// happens, if that is known. `mayBegin` is called when nothing is left but the exchange, and may still refuse.
    /// Returns the segment as it is now.
    package func heal(
        _ segment: LibrarySegment, before frame: Int64, with found: FoundFrames?, now: WallInstant?,
        mayBegin: () -> Bool = { true }
    ) throws(Problem) -> LibrarySegment {
        guard let known = segment.sidecar, let audio = segment.audio, let name = segment.fileName, !segment.isGrowing
        else { throw .inUse }
        let folderPath = ([path] + segment.folders).joined(separator: "/")
        let place = "\(folderPath)/\(name)"
        let folder = try attempt(.openFolder, place) { () throws(SystemError) in
            try RecordingsFolder(path: path, system: system).openExisting(segment.folders)
        }
        defer { system.close(folder) }
        try attempt(.writeFolder, folderPath) { () throws(SystemError) in try system.checkWritable(folder) }
        let old = try attempt(.write, place) { () throws(SystemError) in try system.openFile(in: folder, name: name) }
        defer { system.close(old) }
        guard (try? system.lock(old)) == true else { throw .inUse }
        let (status, scan) = try attempt(.read, place) { () throws(SystemError) in
            let status = try system.status(of: old)
            return (status, try AudioScan.of(old, fileExtension: audio.fileExtension, finding: frame, system))
        }
        var bundle = SegmentBundle(
            base: segment.base, fileExtension: audio.fileExtension, in: folder, folderPath: folderPath, system,
            owning: [.sidecar])
        defer { bundle.close() }
        var present: Sidecar? = known
        if known.isKept {
            let read = try attempt(.read, bundle.path(of: .sidecar)) { () throws(SystemError) in
                try Companion.sidecar.read(of: segment.base, in: folder, system)
            }
            present = Sidecar(parsing: read.bytes)
        }
        guard let scan, status.isRegularFile, let present else { throw .changed }
        let sidecar = present.settled(for: scan.checksum.value)
        guard sidecar.checksum == scan.checksum.value, sidecar.frames == scan.frames,
            sidecar.revision == known.settled(for: scan.checksum.value).revision, scan.foreignBeforeWanted == 0
        else { throw .changed }
        guard frame <= scan.frames, let gap = sidecar.gaps.first(where: { $0.position == frame }) else { throw .noGap }
        guard let found else { return segment }
        var described = segment
        described.description = .sidecar(sidecar)
        let draft = try attempt(.create, place) { () throws(SystemError) in try TemporaryFile(in: folder, system) }
        defer { system.close(draft.descriptor) }
        system.copyAccess(of: old, to: draft.descriptor)
        var isSwapped = false
        defer { if !isSwapped { try? system.remove(in: folder, name: draft.name) } }
        let composition = HealedFile(old: old, size: status.size, scan: scan, segment: described, self)
        let (new, added) = try composition.write(found, before: frame, to: draft.descriptor, place)

        let length = Duration.samples(added, at: sidecar.format.sampleRate)
        let isLast = found.isContinuedAfter && !found.continuesBefore
        let begin = isLast ? sidecar.airTime(ofFrame: frame).map { $0 - length } : nil
        var begun = sidecar
        begun.healing = Sidecar.Healing(
            Sidecar.Healed(
                at: begin.map { CivilTime($0, utcOffset: gap.at.utcOffset) } ?? gap.at,
                milliseconds: length.wholeMilliseconds, position: frame, frames: new.frames - scan.frames,
                by: found.source, after: now.map { max(0, ($0 - gap.at.instant).wholeMilliseconds) }),
            continuesBefore: found.continuesBefore, isContinuedAfter: found.isContinuedAfter,
            rest: found.continuesBefore && found.isContinuedAfter ? 0 : found.rest?.wholeMilliseconds,
            bytes: new.bytes, samples: new.samples, checksum: new.checksum.value)
        guard mayBegin() else { throw .inUse }
        try write(begun, &bundle)
        do throws(Problem) {
            isSwapped = try attempt(.rename, place) { () throws(SystemError) in
                try system.syncNames(in: folder)
                return try swap(draft.name, name, status, in: folder)
            }
            guard isSwapped else { throw .changed }
        } catch {
            if known.isKept, !bundle.isGone(.sidecar) { try? write(sidecar, &bundle, isComplete: true) }
            throw error
        }
        try? system.syncNames(in: folder)
        // What had the name is gone already where the file system cannot exchange two names.
        try? system.remove(in: folder, name: draft.name)
        bundle.adopt()
        bundle.removeMade()
        // Somebody may have protected the recording meanwhile.
        let healed = ((known.isKept ? bundle.sidecar : nil) ?? begun).settled(for: new.checksum.value)
        // If that fails, recovery does it.
        try? write(healed, &bundle, isComplete: true)
        if known.isKept, let index = new.index(healed) { _ = try? bundle.write(.index, index, isComplete: true) }
        described.description = .sidecar(healed)
        described.audio?.bytes = (try? system.status(of: draft.descriptor).size) ?? audio.bytes
        return described
    }

    /// Exchanges the names of the healed file and the old one. Returns false, and changes nothing, if the old one is no
    /// longer what it was.
    private func swap(
        _ draft: String, _ name: String, _ old: FileStatus, in folder: CInt
    ) throws(SystemError) -> Bool {
        guard try system.status(in: folder, name: name) == old else { return false }
        do throws(SystemError) {
            try system.exchange(in: folder, draft, name)
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            try system.rename(in: folder, draft, replacing: name)
            return true
        }
        let present = Result { () throws(SystemError) in try system.status(in: folder, name: draft) }
        if (try? present.get()) == old { return true }
        try system.exchange(in: folder, draft, name)
        return try present.get() == old
    }

    private func write(
        _ sidecar: Sidecar, _ bundle: inout SegmentBundle, isComplete: Bool = false
    ) throws(Problem) {
        guard sidecar.isKept else { return }
        do throws(StorageError) {
            try bundle.replace(.sidecar, sidecar.encoded, isComplete: isComplete)
        } catch {
            throw .storage(error)
        }
    }

    /// Runs `body`, and turns its error into one of the file with this path.
    func attempt<Result>(
        _ action: StorageError.Action, _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(Problem) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw error.number == ENOENT
                ? .changed : .storage(StorageError(error, action, path))
        }
    }
}
