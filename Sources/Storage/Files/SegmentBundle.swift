// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// The files of a segment in a folder: its audio and its companions, under one base name. For a thread that may block.
///
/// A companion that is written as a whole is always whole: it is written to a temporary file, synced and renamed. It is
/// overwritten in place only if its audio is complete and the disk has no room for a second file.
struct SegmentBundle {
    private(set) var base: String
    let fileExtension: String
    let folder: CInt
    var folderPath: String
    private let system: any FileSystemCalls
    /// The companions that are ours: only these may be replaced, renamed and removed.
    private(set) var owned: Set<Companion>
    /// The files written by ``prepare(_:_:isComplete:syncing:)``, to be named by ``publish(_:)``.
    private var drafts: [Companion: TemporaryFile] = [:]
    /// The lengths of the companions that grow with their audio; nil for one that grows no further, because something
    /// is missing in it.
    private(set) var grown: [Companion: Int64?]

    /// The folder's descriptor must stay open. `fileExtension`: of the audio. `owned`: the companions of this name that
    /// are known to be ours. `grown`: how far they have grown so far.
    init(
        base: String, fileExtension: String, in folder: CInt, folderPath: String, _ system: any FileSystemCalls,
        owning owned: Set<Companion> = [], grown: [Companion: Int64?] = [:]
    ) {
        self.base = base
        self.fileExtension = fileExtension
        self.folder = folder
        self.folderPath = folderPath
        self.system = system
        self.owned = owned
        self.grown = grown
    }

    // MARK: Names

    /// All names that a segment takes in its folder once it is complete.
    static func names(_ base: String, _ fileExtension: String) -> [String] {
        ["\(base).\(fileExtension)"] + Companion.allCases.map { $0.name(of: base) }
    }

    var audioName: String { "\(base).\(fileExtension)" }

    func path(of companion: Companion) -> String { "\(folderPath)/\(companion.name(of: base))" }

    /// Whether other files stand in the way of this base name.
    func isTaken(_ base: String) throws(SystemError) -> Bool {
        for name in Self.names(base, fileExtension) where try system.exists(in: folder, name: name) { return true }
        return false
    }

    /// Takes the companions for ours that begin with their mark, or in which nothing was written, as a crash leaves
    /// them. Call it only if the audio is certainly ours. A companion that cannot be read is not taken.
    mutating func adopt() {
        for companion in Companion.allCases where companion != .sidecar && !owned.contains(companion) {
            let mark = companion.mark
            guard let begin = try? begin(of: companion, mark.count),
                mark.starts(with: begin) || begin.allSatisfy({ $0 == 0 })
            else { continue }
            owned.insert(companion)
        }
    }

    /// The first bytes of a companion, at most `length`; nil if it is not a file.
    private func begin(of companion: Companion, _ length: Int) throws(SystemError) -> [UInt8]? {
        let file = try system.openToRead(in: folder, name: companion.name(of: base))
        defer { system.close(file) }
        let status = try system.status(of: file)
        return status.isRegularFile ? try system.readAll(file, from: 0, to: min(status.size, Int64(length))) : nil
    }

    /// The present sidecar; nil if it cannot be read.
    var sidecar: Sidecar? {
        let found = try? Companion.sidecar.read(of: base, in: folder, system)
        return found.flatMap { Sidecar(parsing: $0.bytes) }
    }

    /// Whether there is certainly no file with the name of a companion.
    func isFree(_ companion: Companion) -> Bool { companion.exists(of: base, in: folder, system) == false }

    /// Whether somebody has removed a companion.
    func isGone(_ companion: Companion) -> Bool { owned.contains(companion) && isFree(companion) }

    /// Renames the companions before their audio, if their new names are free; otherwise they will be written anew. The
    /// sidecar is renamed first: it says which name the segment has, and recovery finds the others by it.
    mutating func move(to base: String) {
        guard base != self.base else { return }
        for companion in Companion.allCases where owned.contains(companion) {
            do throws(SystemError) {
                try system.move(in: folder, companion.name(of: self.base), toFree: companion.name(of: base))
            } catch {
                // A sidecar that stays behind is removed by recovery.
                if companion != .sidecar { try? remove(companion.name(of: self.base)) }
                owned.remove(companion)
                end(companion)
            }
        }
        self.base = base
    }

    /// Gives the audio its final name: the first free one, or the present one. `audio`: its present name. The
    /// companions are renamed before the audio: as long as it has no final name, recovery finds them by it. `mayKeep`:
    /// whether the present base name will do.
    mutating func takeName(
        _ audio: String, _ candidates: NumberedNames, mayKeep: Bool = true
    ) throws(SystemError) {
        for candidate in candidates {
            do throws(SystemError) {
                if candidate != base || !mayKeep {
                    if try isTaken(candidate) { continue }
                    move(to: candidate)
                }
                // Somebody may have given the file this name already.
                if audio != audioName { try system.move(in: folder, audio, toFree: audioName) }
            } catch {
                if error.number == EEXIST { continue }
                throw error
            }
            return
        }
        throw SystemError(number: EEXIST)
    }

    /// Removes complete audio, and then its companions that are ours.
    mutating func remove() throws(SystemError) {
        try remove(audioName)
        try removeCompanions()
    }

    /// Removes the companions that are ours, the sidecar last.
    mutating func removeCompanions() throws(SystemError) {
        for companion in Companion.allCases.reversed() where owned.contains(companion) {
            try remove(companion.name(of: base))
            owned.remove(companion)
            end(companion)
        }
    }

    /// Removes the companions of ours that can be made again from the audio: the audio is another one now.
    mutating func removeMade() {
        for companion in Companion.allCases where companion.isMade && owned.contains(companion) { drop(companion) }
    }

    /// Removes a companion, if it is ours.
    mutating func drop(_ companion: Companion) {
        guard owned.remove(companion) != nil else { return }
        try? remove(companion.name(of: base))
        end(companion)
    }

    private func remove(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try system.remove(in: folder, name: name)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
    }

    // MARK: Growing

    /// Appends to a companion that grows with its audio, and creates it at first. It is secondary: if that fails, or if
    /// somebody else has made it meanwhile, it grows no further. Returns where the bytes are.
    @discardableResult
    mutating func append(_ companion: Companion, _ bytes: [UInt8]) -> Range<Int64>? {
        guard let length = grown[companion, default: 0], length > 0 || bytes.starts(with: companion.mark) else {
            return nil
        }
        do throws(SystemError) {
            let file = try open(companion, length)
            defer { system.close(file) }
            try system.writeAll(file, bytes, at: length)
            let end = length + Int64(bytes.count)
            grown[companion] = end
            return length..<end
        } catch {
            end(companion)
            return nil
        }
    }

    private mutating func open(_ companion: Companion, _ length: Int64) throws(SystemError) -> CInt {
        let name = companion.name(of: base)
        guard length > 0 else {
            let file = try system.createFile(in: folder, name: name)
            owned.insert(companion)
            return file
        }
        guard try system.status(in: folder, name: name).size == length else { throw SystemError(number: EEXIST) }
        return try system.openFile(in: folder, name: name)
    }

    private mutating func end(_ companion: Companion) { grown.updateValue(nil, forKey: companion) }

    /// Drops the companions that have not got a name.
    mutating func close() { for companion in Companion.allCases { dropDraft(of: companion) } }

    // MARK: Writing

    /// Writes or rewrites a companion. Returns false if the name belongs to another file. `isComplete`: whether the
    /// audio is complete, so that only this companion can be lost if the process dies meanwhile. `syncsNewName`:
    /// whether a new name is durable when this returns; if not, the caller must sync the folder.
    mutating func write(
        _ companion: Companion, _ bytes: [UInt8], isComplete: Bool = false, syncsNewName: Bool = true
    ) throws(StorageError) -> Bool {
        let isNew = !owned.contains(companion)
        guard try prepare(companion, bytes, isComplete: isComplete, syncing: true) else { return true }
        guard try publish(companion) else { return false }
        // After a power cut, a growing file may have its previous companion again, which is valid, too.
        guard isComplete || (isNew && syncsNewName) else { return true }
        do throws(SystemError) {
            try system.syncNames(in: folder)
        } catch {
            throw StorageError(error, .writeSidecar, path(of: companion))
        }
        return true
    }

    /// As ``write(_:_:isComplete:syncsNewName:)``, but throws if the name belongs to another file.
    mutating func replace(_ companion: Companion, _ bytes: [UInt8], isComplete: Bool) throws(StorageError) {
        guard try write(companion, bytes, isComplete: isComplete) else {
            throw StorageError(code: .nameTaken, action: .writeSidecar, path: path(of: companion))
        }
    }

    /// The first half of ``write(_:_:isComplete:syncsNewName:)``: writes the temporary file. Returns false if the disk
    /// had no room for it and the existing companion was overwritten, so that there is nothing to publish.
    mutating func prepare(
        _ companion: Companion, _ bytes: [UInt8], isComplete: Bool, syncing: Bool
    ) throws(StorageError) -> Bool {
        do throws(SystemError) {
            let file = try TemporaryFile(in: folder, system)
            drafts[companion] = file
            try system.writeNew(file.descriptor, bytes)
            if syncing { try system.sync(file.descriptor) }
            return true
        } catch {
            dropDraft(of: companion)
            if isComplete, owned.contains(companion), error.isForRoom,
                (try? system.overwrite(in: folder, name: companion.name(of: base), bytes)) != nil
            {
                return false
            }
            throw StorageError(error, .writeSidecar, path(of: companion))
        }
    }

    /// The second half of ``write(_:_:isComplete:syncsNewName:)``: gives the temporary file its name.
    mutating func publish(_ companion: Companion) throws(StorageError) -> Bool {
        guard let draft = drafts[companion] else { return false }
        let name = companion.name(of: base)
        do throws(SystemError) {
            if owned.contains(companion) {
                try system.rename(in: folder, draft.name, replacing: name)
            } else {
                try system.move(in: folder, draft.name, toFree: name)
            }
        } catch {
            dropDraft(of: companion)
            if error.number == EEXIST { return false }
            throw StorageError(error, .writeSidecar, path(of: companion))
        }
        system.close(draft.descriptor)
        drafts[companion] = nil
        owned.insert(companion)
        return true
    }

    private mutating func dropDraft(of companion: Companion) {
        guard let draft = drafts.removeValue(forKey: companion) else { return }
        try? system.remove(in: folder, name: draft.name)
        system.close(draft.descriptor)
    }
}

extension RecordingsFolder {
    /// Calls `body` with the files of a segment in an existing folder. The other parameters: see ``SegmentBundle``.
    func withBundle(
        _ base: String, _ fileExtension: String, in folders: [String], owning owned: Set<Companion>,
        grown: [Companion: Int64?] = [:], _ body: (inout SegmentBundle) throws(StorageError) -> Void
    ) throws(StorageError) {
        let folderPath = ([path] + folders).joined(separator: "/")
        let folder: CInt
        do throws(SystemError) {
            folder = try openExisting(folders)
        } catch {
            throw StorageError(error, .writeSidecar, "\(folderPath)/\(Companion.sidecar.name(of: base))")
        }
        defer { system.close(folder) }
        var bundle = SegmentBundle(
            base: base, fileExtension: fileExtension, in: folder, folderPath: folderPath, system, owning: owned,
            grown: grown)
        try body(&bundle)
    }
}
