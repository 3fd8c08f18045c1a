// SPDX-License-Identifier: MIT

import Platform

/// Completes the files that earlier runs left in a folder of recordings, independently of any recording. Its calls
/// block.
package struct FolderRepair {
    /// An unfinished file, as found before the repair.
    package struct Leftover: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            /// A process is writing the file, so it is left alone.
            case inUse
            /// The file is unfinished. A repair completes it and gives it its final name, or removes it if it has no
            /// audio.
            case unfinished
            /// Only the file's sidecar is unfinished. A repair completes the sidecar, or removes it if its audio is
            /// gone.
            case unfinishedSidecar
            /// The file is complete, but has not got what was found for it: this is the path of that.
            case foundAudio
            /// The file may be ours, but cannot be opened for a repair.
            case closed(StorageError)
        }

        package var path: String
        package var state: State

        /// Whether a repair leaves the file as it is.
        package var isLeft: Bool {
            switch state {
            case .inUse, .closed: true
            case .unfinished, .unfinishedSidecar, .foundAudio: false
            }
        }
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

    /// Completes the files, and calls `report` with each. Those of a recording without sidecars get none.
    package func run(_ report: @escaping (RecoveredFile) -> Void) {
        let recovery = Recovery(
            root: RecordingsFolder(path: path, system: system), system: system, writesSidecars: false, depth: 0,
            mostHealed: .max
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
        let recorded = names.map { ($0, RecordedName($0)) }
        // As in ``Recovery``: a sidecar may exist before its audio, and a folder without recordings contains no sidecar
        // of ours.
        let isBusy = recorded.contains {
            $0.1 == .temporary && !TemporaryFile.isAbandoned($0.0, in: folder.descriptor, system)
        }
        let hasRecordings = folder.parts.isEmpty || recorded.contains { $0.1.map { !$0.isSidecar } ?? false }
        let states = recorded.compactMap { name, kind -> (String, Leftover.State)? in
            switch kind {
            case .part:
                let part = PartSearch.part(named: name, in: folder.descriptor, folderPath: folder.path, system)
                return state(of: part, .unfinished, "\(folder.path)/\(name)").map { (name, $0) }
            case .sidecar(let base) where hasRecordings:
                let sidecar = PartSearch.sidecar(of: base, in: folder.descriptor, folderPath: folder.path, system)
                if case .inUse = sidecar { return nil }
                if case .withoutAudio = sidecar, isBusy { return nil }
                return state(of: sidecar, .unfinishedSidecar, "\(folder.path)/\(name)").map { (name, $0) }
            case .found(let base):
                let library = Library(path: path, system: system)
                return SavedHealing(of: base, in: folder, atMost: .max, library).map { _ in (name, .foundAudio) }
            case .sidecar, .audio, .temporary, nil: return nil
            }
        }
        return states.sorted { $0.0 < $1.0 }.map { Leftover(path: "\(folder.path)/\($0.0)", state: $0.1) }
    }

    private func state(
        of finding: PartSearch.Finding, _ unfinished: Leftover.State, _ path: String
    ) -> Leftover.State? {
        switch finding {
        case .foreign, .linked: return nil
        case .closed(let error): return .closed(StorageError(error, .recover, path))
        case .inUse: return .inUse
        case .withoutAudio: return unfinished
        case .unfinished(let file):
            file.close()
            return unfinished
        }
    }
}
