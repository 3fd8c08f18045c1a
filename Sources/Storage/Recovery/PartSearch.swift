// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Finds the files that earlier runs left unfinished, among files that are foreign, or that a process is writing.
enum PartSearch {
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
        // Somebody may have moved complete audio, and be about to move its sidecar.
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
    static func namesTaken(
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
}
