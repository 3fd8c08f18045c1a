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
        let temporary = ".\(base).json.tmp"
        let final = Self.name(of: base)
        do throws(SystemError) {
            try writeTemporary(temporary, bytes)
            if isOwned {
                try system.rename(in: folder, temporary, replacing: final)
            } else {
                try system.move(in: folder, temporary, toFree: final)
            }
            isOwned = true
        } catch {
            try? system.remove(in: folder, name: temporary)
            if error.number == EEXIST { return false }
            throw StorageError(error, .writeSidecar, "\(folderPath)/\(final)")
        }
        do throws(SystemError) {
            try system.syncFolder(folder)
        } catch {
            throw StorageError(error, .writeSidecar, "\(folderPath)/\(final)")
        }
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

    private func writeTemporary(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        let descriptor: CInt
        do throws(SystemError) {
            descriptor = try system.createFile(in: folder, name: name)
        } catch {
            // Left behind by a process that died: nobody else uses names of this kind.
            guard error.number == EEXIST else { throw error }
            try system.remove(in: folder, name: name)
            descriptor = try system.createFile(in: folder, name: name)
        }
        defer { system.close(descriptor) }
        try system.writeAll(descriptor, bytes, at: 0)
        try system.sync(descriptor)
    }
}
