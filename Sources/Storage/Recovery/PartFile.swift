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

    private init(
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

    /// Looks at a `.part`, and takes it over if it is certainly ours to complete: no process writes it, and its mark or
    /// its sidecar identifies it (``PartClaim``). Changes nothing. `sidecars`: the names, without extension, of
    /// sidecars in the folder, one of which may belong to the part if somebody has renamed the part.
    static func part(
        named name: String, in folder: CInt, folderPath: String, sidecars: [String] = [],
        _ system: any FileSystemCalls
    ) -> Finding {
        guard case .part(let base, let fileExtension)? = RecordedName(name),
            let scan = AudioScan(fileExtension: fileExtension)
        else { return .foreign }
        let opened = open(name, in: folder, system)
        guard case .success(let (descriptor, status, isLocked)) = opened else { return Finding(opened) }
        let claim = PartClaim(on: descriptor, system)
        let mark = claim?.sidecar.flatMap { $0.format.fileType.fileExtension == fileExtension ? $0 : nil }
        let begun =
            begunSidecar(of: base, fileExtension, status, in: folder, system)
            ?? mark.flatMap { formerSidecar(of: $0, among: sidecars, in: folder, system) }
        let isOurs = begun != nil || claim != nil
        guard isOurs, isLocked, status.links == 1 else {
            system.close(descriptor)
            return !isOurs ? .foreign : isLocked ? .linked : .inUse
        }
        return .unfinished(
            PartFile(
                base: base, fileExtension: fileExtension, isNamed: false, begun: begun, mark: mark, scan: scan,
                descriptor: descriptor, in: folder, folderPath: folderPath, system))
    }

    /// Looks at a sidecar without a part, and takes over its audio if no process is writing it. Changes nothing.
    static func sidecar(
        of base: String, in folder: CInt, folderPath: String, _ system: any FileSystemCalls
    ) -> Finding {
        guard let begun = BegunSidecar(base: base, orHealing: true, in: folder, system) else { return .foreign }
        let audio = "\(base).\(begun.fileExtension)"
        // If it is unknown whether the part exists, a process may be writing the part.
        guard (try? system.exists(in: folder, name: audio + ".part")) == false,
            let hasAudio = try? system.exists(in: folder, name: audio)
        else { return .inUse }
        // Whoever has moved complete audio may move its sidecar after it.
        guard hasAudio else { return begun.content.healing == nil ? .withoutAudio : .foreign }
        guard let scan = AudioScan(fileExtension: begun.fileExtension) else { return .foreign }
        let opened = open(audio, in: folder, system)
        guard case .success(let (descriptor, _, isLocked)) = opened else { return Finding(opened) }
        guard isLocked else {
            system.close(descriptor)
            return .inUse
        }
        return .unfinished(
            PartFile(
                base: base, fileExtension: begun.fileExtension, isNamed: true, begun: begun, scan: scan,
                descriptor: descriptor, in: folder, folderPath: folderPath, system))
    }

    /// What a `.part` or a begun sidecar is.
    enum Finding {
        case foreign
        /// A process is writing the file, or may be writing it.
        case inUse
        /// A `.part` that also has a second name: see ``removeSecondName(_:in:_:)``.
        case linked
        /// A file to which this user may not write, or which lies on a disk to which nobody may write.
        case closed(SystemError)
        /// A sidecar whose audio is gone, or never got a name.
        case withoutAudio
        /// An unfinished file, which the caller must close.
        case unfinished(PartFile)

        fileprivate init(_ opened: Opened) {
            if case .failure(let error) = opened, [EACCES, EPERM, EROFS].contains(error.number) {
                self = .closed(error)
            } else {
                self = .foreign
            }
        }
    }

    fileprivate typealias Opened = Result<(descriptor: CInt, status: FileStatus, isLocked: Bool), SystemError>

    /// Opens a regular file. Only a lock shows whether another process is writing it.
    private static func open(_ name: String, in folder: CInt, _ system: any FileSystemCalls) -> Opened {
        Result { () throws(SystemError) in
            let descriptor = try system.openFile(in: folder, name: name)
            let isLocked = (try? system.lock(descriptor)) == true
            guard let status = try? system.status(of: descriptor), status.isRegularFile else {
                system.close(descriptor)
                throw SystemError(number: EINVAL)
            }
            return (descriptor, status, isLocked)
        }
    }

    /// Removes the first name of a file that also has its final name. If a rename takes two calls, a process may have
    /// died after giving the file its final name and before removing the first name.
    static func removeSecondName(_ name: String, in folder: CInt, _ system: any FileSystemCalls) {
        guard case .part(let base, let fileExtension)? = RecordedName(name),
            case .success(let (descriptor, status, isLocked)) = open(name, in: folder, system)
        else { return }
        defer { system.close(descriptor) }
        guard isLocked, status.links > 1 else { return }
        let isNamed = namesTaken(base, fileExtension, in: folder, system).contains {
            isFile(status, named: "\($0).\(fileExtension)", in: folder, system)
        }
        if isNamed { try? system.remove(in: folder, name: name) }
    }

    /// Finds the sidecar that was begun for a part. If the part's final name was taken, the part and the sidecar were
    /// to get a numbered name. The sidecar is renamed first, so it may already have that name.
    private static func begunSidecar(
        of base: String, _ fileExtension: String, _ status: FileStatus, in folder: CInt, _ system: any FileSystemCalls
    ) -> BegunSidecar? {
        for name in namesTaken(base, fileExtension, in: folder, system) {
            guard let found = BegunSidecar(base: name, in: folder, system), found.fileExtension == fileExtension else {
                continue
            }
            if name == base { return found }
            let audio = "\(name).\(fileExtension)"
            guard (try? system.exists(in: folder, name: audio + ".part")) == false else { continue }
            let isAlone = (try? system.exists(in: folder, name: audio)) == false
            if isAlone || isFile(status, named: audio, in: folder, system) { return found }
        }
        return nil
    }

    /// Finds the sidecar of a part that somebody has renamed: it describes the same segment, and has no audio.
    private static func formerSidecar(
        of mark: Sidecar, among bases: [String], in folder: CInt, _ system: any FileSystemCalls
    ) -> BegunSidecar? {
        guard mark.recording != nil else { return nil }
        for base in bases {
            guard let found = BegunSidecar(base: base, in: folder, system),
                found.content.recording == mark.recording, found.content.number == mark.number
            else { continue }
            let audio = ["\(base).\(found.fileExtension)", "\(base).\(found.fileExtension).part"]
            return audio.allSatisfy { (try? system.exists(in: folder, name: $0)) == false } ? found : nil
        }
        return nil
    }

    private static func isFile(
        _ status: FileStatus, named name: String, in folder: CInt, _ system: any FileSystemCalls
    ) -> Bool {
        guard let descriptor = try? system.openFile(in: folder, name: name) else { return false }
        defer { system.close(descriptor) }
        return (try? system.status(of: descriptor))?.isSame(as: status) == true
    }

    /// The names that are taken: `base` and the numbered names after it, up to the first name that no segment has. They
    /// are followed by the same list for the name that the file was to get if its song was recorded whole.
    private static func namesTaken(
        _ base: String, _ fileExtension: String, in folder: CInt, _ system: any FileSystemCalls
    ) -> some Sequence<String> {
        [base, IncompleteName.whole(of: base)].compactMap(\.self).lazy.flatMap { first in
            NumberedNames(first).lazy.prefix { name in
                name == first
                    || SegmentBundle.names(name, fileExtension).contains {
                        (try? system.exists(in: folder, name: $0)) == true
                    }
            }
        }
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
        for name in Self.namesTaken(foundBase, bundle.fileExtension, in: bundle.folder, system)
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
            try bundle.takeName(partName, NumberedNames(foundBase))
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
