// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// `NAME.json` next to the audio, always whole: written to a temporary file, synced, renamed. Only of a complete file, and
/// where the disk has no room for a second one, it is written over the old one. Of the writer's thread.
struct SidecarFile {
    private let system: any FileSystemCalls
    private let folderPath: String
    private let folder: CInt
    private(set) var base: String
    /// Whether the name is ours: only then may it be replaced.
    private var isOwned: Bool
    /// What ``prepare(_:syncing:)`` has written and ``publish()`` is to name.
    private var temporary: TemporaryFile?

    /// The folder's descriptor must stay open; `isOwned` says that this recording wrote a sidecar of the name before.
    init(base: String, folder: CInt, folderPath: String, system: any FileSystemCalls, isOwned: Bool = false) {
        self.base = base
        self.folder = folder
        self.folderPath = folderPath
        self.system = system
        self.isOwned = isOwned
    }

    var standing: SidecarStanding { isOwned ? .written : .missing }

    static func name(of base: String) -> String { base + ".json" }

    /// Writes or rewrites it; false where the name belongs to somebody else. `isComplete` where its audio is: nothing but
    /// that file's sidecar can be lost with a process that dies meanwhile.
    mutating func write(_ bytes: [UInt8], isComplete: Bool = false) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try prepare(bytes, syncing: true)
        } catch {
            guard isComplete, isOwned, [.noSpace, .quota].contains(error.code), overwrite(bytes) else { throw error }
            return true
        }
        guard try publish() else { return false }
        do throws(SystemError) {
            try system.syncNames(in: folder)
        } catch {
            throw StorageError(error, .writeSidecar, path)
        }
        return true
    }

    /// Writes over what is there; false where that cannot be done either.
    private func overwrite(_ bytes: [UInt8]) -> Bool {
        do throws(SystemError) {
            let descriptor = try system.openFile(in: folder, name: Self.name(of: base))
            defer { system.close(descriptor) }
            let size = Int(clamping: try system.status(of: descriptor).size)
            try append(bytes.dropFirst(size), at: Int64(size), to: descriptor)
            // With blanks behind it, it is whole before the file is cut.
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: max(0, size - bytes.count))
            try system.writeAll(descriptor, Array(bytes.prefix(size)) + blanks, at: 0)
            if !blanks.isEmpty { try system.truncate(descriptor, to: Int64(bytes.count)) }
            try system.sync(descriptor)
            return true
        } catch {
            return false
        }
    }

    /// Whether there is room for more than the old one is found out while that is still there.
    private func append(_ rest: ArraySlice<UInt8>, at size: Int64, to descriptor: CInt) throws(SystemError) {
        guard !rest.isEmpty else { return }
        do throws(SystemError) {
            try system.writeAll(descriptor, Array(rest), at: size)
        } catch {
            try? system.truncate(descriptor, to: size)
            throw error
        }
    }

    /// First half of ``write(_:)``: the temporary file.
    mutating func prepare(_ bytes: [UInt8], syncing: Bool) throws(StorageError) {
        do throws(SystemError) {
            let file = try TemporaryFile(in: folder, system)
            temporary = file
            try system.writeAll(file.descriptor, bytes, at: 0)
            if syncing { try system.sync(file.descriptor) }
        } catch {
            dropTemporary()
            throw StorageError(error, .writeSidecar, path)
        }
    }

    /// Second half: gives the temporary file its name.
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

    /// Takes another name, before its audio does, where that is free; otherwise a new sidecar will be written there.
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

    /// Removes it, if it is ours.
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
