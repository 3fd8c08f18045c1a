// SPDX-License-Identifier: MIT

import Glibc

/// `NAME.json` next to the audio, always whole: written to a temporary file, synced, renamed. Of the writer's thread.
struct SidecarFile {
    private let system: any FileSystemCalls
    private let folderPath: String
    private let folder: CInt
    private var base: String
    /// Whether the name is ours: only then may it be replaced.
    private var isOwned: Bool

    /// The folder's descriptor must stay open; `isOwned` says that this recording wrote a sidecar of the name before.
    init(base: String, folder: CInt, folderPath: String, system: any FileSystemCalls, isOwned: Bool = false) {
        self.base = base
        self.folder = folder
        self.folderPath = folderPath
        self.system = system
        self.isOwned = isOwned
    }

    static func name(of base: String) -> String { base + ".json" }

    /// Writes or rewrites it; false where the name belongs to somebody else.
    mutating func write(_ bytes: [UInt8]) throws(StorageError) -> Bool {
        try prepare(bytes, syncing: true)
        guard try publish() else { return false }
        do throws(SystemError) {
            try system.syncFolder(folder)
        } catch {
            throw StorageError(error, .writeSidecar, path)
        }
        return true
    }

    /// First half of ``write(_:)``: the temporary file.
    func prepare(_ bytes: [UInt8], syncing: Bool) throws(StorageError) {
        do throws(SystemError) {
            try writeTemporary(bytes, syncing: syncing)
        } catch {
            try? system.remove(in: folder, name: temporaryName)
            throw StorageError(error, .writeSidecar, path)
        }
    }

    /// Second half: its name.
    mutating func publish() throws(StorageError) -> Bool {
        do throws(SystemError) {
            if isOwned {
                try system.rename(in: folder, temporaryName, replacing: Self.name(of: base))
            } else {
                try system.move(in: folder, temporaryName, toFree: Self.name(of: base))
            }
        } catch {
            try? system.remove(in: folder, name: temporaryName)
            if error.number == EEXIST { return false }
            throw StorageError(error, .writeSidecar, path)
        }
        isOwned = true
        return true
    }

    /// Follows its audio to another name, where that is free; otherwise a new one will be written there.
    mutating func move(to base: String) {
        do throws(SystemError) {
            try system.move(in: folder, Self.name(of: self.base), toFree: Self.name(of: base))
        } catch {
            isOwned = false
        }
        self.base = base
    }

    /// Removes it, if it is ours.
    func remove() {
        if isOwned { try? system.remove(in: folder, name: Self.name(of: base)) }
    }

    private var temporaryName: String { ".\(base).json.tmp" }
    private var path: String { "\(folderPath)/\(Self.name(of: base))" }

    private func writeTemporary(_ bytes: [UInt8], syncing: Bool) throws(SystemError) {
        let descriptor: CInt
        do throws(SystemError) {
            descriptor = try system.createFile(in: folder, name: temporaryName)
        } catch {
            // Left behind by a process that died: nobody else uses names of this kind.
            guard error.number == EEXIST else { throw error }
            try system.remove(in: folder, name: temporaryName)
            descriptor = try system.createFile(in: folder, name: temporaryName)
        }
        defer { system.close(descriptor) }
        try system.writeAll(descriptor, bytes, at: 0)
        if syncing { try system.sync(descriptor) }
    }
}
