// SPDX-License-Identifier: MIT

import Platform

/// Completes the files that earlier runs left in a folder of recordings, independently of any recording. Blocks.
package struct FolderRepair {
    /// An unfinished file, as found before the repair.
    package struct Leftover: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            /// A process is writing the file, so it is left alone.
            case inUse
            /// The file would be completed and get its final name, or be removed if it has no audio.
            case unfinished
            /// Only the file's sidecar is unfinished. It would be completed, or removed if its audio is gone.
            case unfinishedSidecar
        }

        package var path: String
        package var state: State
    }

    private let path: String
    private let system: any FileSystemCalls

    /// Throws if there is no such folder.
    package init(folder path: String, system: any FileSystemCalls = LinuxFileSystem()) throws(StorageError) {
        self.path = path
        self.system = system
        do throws(SystemError) {
            system.close(try RecordingsFolder(path: path, system: system).openExisting([]))
        } catch {
            throw StorageError(error, .openFolder, path)
        }
    }

    /// Completes the files, and calls `report` with each.
    package func run(_ report: @escaping (RecoveredFile) -> Void) {
        let recovery = Recovery(
            root: RecordingsFolder(path: path, system: system), system: system, writesSidecars: true, depth: 0
        ) { files in
            for file in files { report(file) }
        }
        while recovery.step() {}
    }

    /// Looks for unfinished files, in the order of the folders. Changes nothing.
    package func survey() -> [Leftover] {
        var walk = FolderWalk(root: RecordingsFolder(path: path, system: system), system: system, depth: 0)
        var found: [Leftover] = []
        var names: [String] = []
        while let folder = walk.next({ names.append($0) }) {
            found += leftovers(among: names, in: folder)
            system.close(folder.descriptor)
            names = []
        }
        return found
    }

    private func leftovers(among names: [String], in folder: FolderWalk.Folder) -> [Leftover] {
        let states = names.compactMap { name -> (String, Leftover.State)? in
            switch RecordedName(name) {
            case .part: PartFile.state(ofPart: name, in: folder.descriptor, system).map { (name, $0) }
            case .sidecar(let base):
                PartFile.hasOnlyStaleSidecar(base, in: folder.descriptor, system) ? (name, .unfinishedSidecar) : nil
            case .audio, .temporary, nil: nil
            }
        }
        return states.sorted { $0.0 < $1.0 }.map { Leftover(path: "\(folder.path)/\($0.0)", state: $0.1) }
    }
}

// MARK: - Looking without touching

extension PartFile {
    /// The state of a `.part` file; nil if it is not ours.
    fileprivate static func state(
        ofPart name: String, in folder: CInt, _ system: any FileSystemCalls
    ) -> FolderRepair.Leftover.State? {
        guard case .part(let base, let fileExtension)? = RecordedName(name),
            let descriptor = try? system.openFile(in: folder, name: name)
        else { return nil }
        defer { system.close(descriptor) }
        guard let status = try? system.status(of: descriptor), status.isRegularFile,
            begunSidecar(of: base, fileExtension, status, in: folder, system) != nil
                || PartClaim.isMarked(descriptor, system)
        else { return nil }
        return (try? system.lock(descriptor)) == true ? .unfinished : .inUse
    }

    /// Whether a sidecar says that its audio is growing, although no `.part` exists.
    fileprivate static func hasOnlyStaleSidecar(
        _ base: String, in folder: CInt, _ system: any FileSystemCalls
    ) -> Bool {
        guard let begun = BegunSidecar(base: base, in: folder, system) else { return false }
        let audio = "\(base).\(begun.fileExtension)"
        guard (try? system.exists(in: folder, name: audio + ".part")) == false else { return false }
        // A process may be about to give the part its name.
        guard let descriptor = try? system.openFile(in: folder, name: audio) else { return true }
        defer { system.close(descriptor) }
        return (try? system.lock(descriptor)) == true
    }
}
