// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Audio that no process is writing, to be completed: a `.part` file, or a file with its final name whose sidecar was
/// not updated. For the writer's thread.
///
/// Holds the file's lock. Call ``read(_:)`` until it returns false, then ``repair()``, sync the data, ``takeName()``,
/// ``prepareCompanions(syncing:)``, sync again, ``publishCompanions()``; and ``close()`` in any case.
final class PartFile {
    private let descriptor: CInt
    private let system: any FileSystemCalls
    /// The name without extension under which the file was found.
    private let foundBase: String
    /// The files of the segment, under the name that the begun sidecar has.
    private var bundle: SegmentBundle
    /// Whether only the sidecar is incomplete.
    private let isNamed: Bool
    /// Whether the audio has its final name, from the beginning or by now.
    private var hasFinalName: Bool
    /// What is known of the file besides its audio, from its sidecar or from its mark; nil if nothing is known.
    private let described: Sidecar?
    private var scan: AudioScan
    private(set) var error: StorageError?
    private(set) var isRemoved = false
    /// Why the disk does not allow the file to be truncated and its head to be completed.
    private var unpatched: SystemError?

    /// Takes over a file with its lock: see ``PartSearch``. `mark`: what the file's mark says of it.
    init(
        base: String, fileExtension: String, isNamed: Bool, begun: BegunSidecar?, mark: Sidecar? = nil,
        scan: AudioScan, descriptor: CInt, in folder: CInt, folderPath: String, _ system: any FileSystemCalls
    ) {
        foundBase = base
        bundle = SegmentBundle(
            base: begun?.base ?? base, fileExtension: fileExtension, in: folder, folderPath: folderPath, system,
            owning: begun == nil ? [] : [.sidecar])
        self.isNamed = isNamed
        hasFinalName = isNamed
        described = begun?.content ?? mark
        self.scan = scan
        self.descriptor = descriptor
        self.system = system
    }

    private var path: String { "\(bundle.folderPath)/\(bundle.audioName)" }
    private var partName: String { "\(foundBase).\(bundle.fileExtension).part" }
    /// The path of the file that is left or removed: for complete audio, that is only its sidecar.
    private var partPath: String { isNamed ? bundle.path(of: .sidecar) : "\(bundle.folderPath)/\(partName)" }
    var isDone: Bool { error != nil || isRemoved }

    /// Reads and scans the next bytes. Returns false at the end of the file.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var hasMore = false
        attempt(.recover) { () throws(SystemError) in hasMore = try scan.read(descriptor, buffer, system) }
        return hasMore
    }

    private func attempt(_ action: StorageError.Action, _ body: () throws(SystemError) -> Void) {
        do throws(SystemError) { try body() } catch { self.error = StorageError(error, action, partPath) }
    }

    /// Truncates the file after its last whole frame, and completes its head or last page. Removes a blank file and its
    /// begun sidecar.
    func repair() {
        guard error == nil else { return }
        adoptCompanions()
        if isNamed { return removeStraySidecar() }
        attempt(.recover) { () throws(SystemError) in
            guard let (size, patches) = scan.repair else {
                guard scan.isBlank else { throw SystemError(number: ENODATA) }
                // The part is renamed to a temporary file first, as in ``SegmentFile/discard()``.
                let temporary = try TemporaryFile.rename(partName, in: bundle.folder, system)
                try bundle.removeCompanions()
                try system.remove(in: bundle.folder, name: temporary)
                isRemoved = true
                return
            }
            do throws(SystemError) {
                for patch in patches { try system.writeAll(descriptor, patch.bytes, at: patch.offset) }
                try system.truncate(descriptor, to: size)
            } catch {
                guard error.refusesPatches else { throw error }
                unpatched = error
            }
        }
    }

    /// Takes over the companions beside the sidecar, which gets a new name before them. What has a name that the
    /// segment was to leave is removed: the process died while it renamed the companions, and all but the sidecar can
    /// be made again.
    private func adoptCompanions() {
        bundle.adopt()
        guard !isNamed else { return }
        for name in PartSearch.namesTaken(foundBase, bundle.fileExtension, in: bundle.folder, system)
        where name != bundle.base {
            var left = SegmentBundle(
                base: name, fileExtension: bundle.fileExtension, in: bundle.folder, folderPath: bundle.folderPath,
                system)
            // Beside another sidecar, they are another segment's.
            guard left.isFree(.sidecar) else { continue }
            left.adopt()
            try? left.removeCompanions()
        }
    }

    /// Removes the begun sidecar if the file has no frame. Such a file is foreign: the file for which the sidecar was
    /// begun never got the name.
    private func removeStraySidecar() {
        guard scan.frames == 0, described?.healing == nil else { return }
        attempt(.recover) { () throws(SystemError) in
            try bundle.removeCompanions()
            isRemoved = true
        }
    }

    func sync() {
        guard !isDone, !isNamed else { return }
        attempt(.sync) { () throws(SystemError) in try system.sync(descriptor) }
    }

    /// Gives the file its final name, or a numbered name if the final name is taken.
    func takeName() {
        guard !isDone else { return }
        finalSidecar = completed(described)
        if isNamed {
            if let finalSidecar, finalSidecar.revision != described?.revision { bundle.removeMade() }
            return
        }
        attempt(.rename) { () throws(SystemError) in
            try bundle.takeName(partName, NumberedNames(foundBase), mayKeep: !isSidecarForeign)
            hasFinalName = true
            PartClaim.unmark(descriptor, system)
        }
    }

    /// Whether the completed file gets a sidecar: always, unless the file is known to belong to a recording without
    /// sidecars.
    var keepsSidecar: Bool { described?.isKept != false }
    /// The name without extension, and whether something was found for the file while it grew (``SavedAudio``).
    var base: String { bundle.base }
    var hasFound: Bool { bundle.owned.contains(.found) }

    /// Whether somebody else's file has the name of the sidecar that is to say where what was found belongs.
    private var isSidecarForeign: Bool {
        guard hasFound, !bundle.owned.contains(.sidecar) else { return false }
        let found = try? Companion.sidecar.read(of: bundle.base, in: bundle.folder, system)
        return found.map { Sidecar(parsing: $0.bytes) == nil } ?? false
    }

    /// Removes what was only needed while the file grew.
    func removeCompanions() {
        if !isDone { try? bundle.removeCompanions() }
    }

    /// Writes the companions to temporary files; on a full disk, the sidecar over the begun one. If the index cannot be
    /// written, the audio has none.
    func prepareCompanions(syncing: Bool) {
        guard !isDone, let finalSidecar else { return }
        if let index = scan.index(finalSidecar) {
            _ = try? bundle.prepare(.index, index, isComplete: true, syncing: syncing)
        }
        do throws(StorageError) {
            _ = try bundle.prepare(.sidecar, finalSidecar.encoded, isComplete: true, syncing: syncing)
        } catch {
            self.error = error
        }
    }

    func publishCompanions() {
        guard !isDone, finalSidecar != nil else { return }
        _ = try? bundle.publish(.index)
        do throws(StorageError) {
            _ = try bundle.publish(.sidecar)
        } catch {
            self.error = error
        }
    }

    func close() {
        bundle.close()
        system.close(descriptor)
    }

    var result: RecoveredFile {
        let outcome: RecoveredFile.Outcome = error.map { .failed($0) } ?? (isRemoved ? .removed : .completed)
        var result = RecoveredFile(
            path: hasFinalName && !isRemoved ? path : partPath, frames: scan.frames, bytes: scan.bytes,
            seconds: scan.format?.seconds(of: scan.samples) ?? 0, outcome: outcome)
        result.unpatched = unpatched.map { StorageError($0, .patch, path) }
        result.sidecar = finalSidecar
        result.sidecar?.isKept = true
        return result
    }

    private var finalSidecar: Sidecar?

    /// The sidecar, updated with the results of the scan.
    private func completed(_ begun: Sidecar?) -> Sidecar? {
        guard let found = scan.sidecar(state: .interrupted) else { return nil }
        if let begun, begun.healing != nil { return begun.settled(for: scan.checksum.value) }
        var sidecar = begun ?? found
        sidecar.frames = found.frames
        sidecar.bytes = found.bytes
        sidecar.samples = found.samples
        sidecar.checksum = found.checksum
        sidecar.state = .interrupted
        // Where what was found belongs is needed until it is put in.
        sidecar.isKept = keepsSidecar || !hasFound
        sidecar.titles.removeAll { $0.position >= scan.frames }
        // A gap at the very end stays.
        sidecar.gaps.removeAll { $0.position > scan.frames }
        sidecar.splices.removeAll { $0.position >= scan.frames }
        sidecar.stretches = sidecar.stretches.compactMap { $0.clamped(to: 0..<scan.frames) }
        return sidecar
    }
}
