// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// `NAME.json` next to the audio, always whole: written to a temporary file, synced, renamed. It is overwritten in
/// place only if its audio is complete and the disk has no room for a second file. For the writer's thread.
struct SidecarFile {
    private let system: any FileSystemCalls
    private let folderPath: String
    private let folder: CInt
    private(set) var base: String
    /// Whether the name is ours: only then may the file be replaced.
    private var isOwned: Bool
    /// The file written by ``prepare(_:syncing:)``, to be named by ``publish()``.
    private var temporary: TemporaryFile?

    /// The folder's descriptor must stay open. `isOwned`: whether this recording already wrote a sidecar with this
    /// name.
    init(base: String, folder: CInt, folderPath: String, system: any FileSystemCalls, isOwned: Bool = false) {
        self.base = base
        self.folder = folder
        self.folderPath = folderPath
        self.system = system
        self.isOwned = isOwned
    }

    var standing: SidecarStanding { isOwned ? .written : .missing }

    /// Whether somebody has removed the sidecar.
    var isGone: Bool { isOwned && (try? system.exists(in: folder, name: Self.name(of: base))) == false }

    static func name(of base: String) -> String { base + ".json" }

    /// Writes or rewrites the sidecar. Returns false if the name belongs to another file. `isComplete`: whether the
    /// audio is complete, so that only this sidecar can be lost if the process dies meanwhile. `syncsNewName`: whether
    /// a new name of the sidecar is durable when this returns; if not, the caller must sync the folder.
    mutating func write(
        _ bytes: [UInt8], isComplete: Bool = false, syncsNewName: Bool = true
    ) throws(StorageError) -> Bool {
        let isNew = !isOwned
        guard try prepare(bytes, isComplete: isComplete, syncing: true) else { return true }
        guard try publish() else { return false }
        // After a power cut, a growing file may have its previous sidecar again. The previous sidecar is valid, too.
        guard isComplete || (isNew && syncsNewName) else { return true }
        do throws(SystemError) {
            try system.syncNames(in: folder)
        } catch {
            throw StorageError(error, .writeSidecar, path)
        }
        return true
    }

    /// The first half of ``write(_:)``: writes the temporary file. Returns false if the disk had no room for it and the
    /// existing sidecar was overwritten, so that there is nothing to publish.
    mutating func prepare(_ bytes: [UInt8], isComplete: Bool, syncing: Bool) throws(StorageError) -> Bool {
        do throws(SystemError) {
            let file = try TemporaryFile(in: folder, system)
            temporary = file
            try system.writeNew(file.descriptor, bytes)
            if syncing { try system.sync(file.descriptor) }
            return true
        } catch {
            dropTemporary()
            let name = Self.name(of: base)
            if isComplete, isOwned, error.isForRoom, (try? system.overwrite(in: folder, name: name, bytes)) != nil {
                return false
            }
            throw StorageError(error, .writeSidecar, path)
        }
    }

    /// The second half of ``write(_:)``: gives the temporary file its name.
    mutating func publish() throws(StorageError) -> Bool {
        guard let temporary else { return false }
        do throws(SystemError) {
            if isOwned {
                try system.rename(in: folder, temporary.name, replacing: Self.name(of: base))
            } else {
                try system.move(in: folder, temporary.name, toFree: Self.name(of: base))
            }
        } catch {
            dropTemporary()
            if error.number == EEXIST { return false }
            throw StorageError(error, .writeSidecar, path)
        }
        system.close(temporary.descriptor)
        self.temporary = nil
        isOwned = true
        return true
    }

    /// Renames the sidecar before its audio, if that name is free; otherwise a new sidecar will be written there.
    mutating func move(to base: String) {
        guard base != self.base else { return }
        if isOwned {
            do throws(SystemError) {
                try system.move(in: folder, Self.name(of: self.base), toFree: Self.name(of: base))
            } catch {
                isOwned = false
            }
        }
        self.base = base
    }

    /// Removes the sidecar if it is ours.
    func remove() {
        if isOwned { try? system.remove(in: folder, name: Self.name(of: base)) }
    }

    private mutating func dropTemporary() {
        guard let temporary else { return }
        try? system.remove(in: folder, name: temporary.name)
        system.close(temporary.descriptor)
        self.temporary = nil
    }

    private var path: String { "\(folderPath)/\(Self.name(of: base))" }
}
