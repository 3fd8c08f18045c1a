// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Completes the files that earlier runs left in a recordings folder, and removes temporary files.
///
/// Handles all our `.part` files, all sidecars that say `growing` although their audio is complete or missing, and our
/// temporary files; each only if no process holds its lock. Puts what was found for a file into it (``SavedHealing``).
/// Searches the folder, and every folder below it that any name template may have created.
///
/// Works in small steps between the writer's other duties, so that a new recording never waits for it: a folder, a few
/// megabytes of a file, some sidecars, a piece of what was found for a file, or the completion of a batch of files,
/// which share their syncs. For the writer's thread.
final class Recovery {
    private let system: any FileSystemCalls
    private let report: ([RecoveredFile]) -> Void
    private let writesSidecars: Bool
    private let sidecarsAtOnce: Int
    private let mostHealed: Int64
    private let library: Library
    private var folders: FolderWalk
    /// The present folder, and the names of the parts and sidecars in it.
    private var folder: FolderWalk.Folder?
    private var names: [String] = []
    private var sidecars: [String] = []
    /// If the folder has more sidecars than may be held at once, the names before this one come next; nil otherwise.
    private var sidecarsBefore: String?
    /// Abandoned temporary files in the folder, to be removed after the sidecars.
    private var temporary: [String] = []
    /// The names of audio beside which something was found for it.
    private var found: [String] = []
    private var healing: SavedHealing?
    /// Whether a process is writing a temporary file in the folder, so that a sidecar may exist before its audio, or a
    /// part without a sidecar of its name, which somebody may have renamed.
    private var isBusy = false
    private var reading: PartFile?
    private var repaired: [PartFile] = []
    private lazy var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 64)
    private var hasBuffer = false

    /// `depth`: see ``FolderWalk``. `sidecarsAtOnce`: how many sidecar names are held at once, because a folder may
    /// have a hundred thousand. `mostHealed`: how large a file may be that gets what was found for it, because nothing
    /// else is done meanwhile.
    init(
        root: RecordingsFolder, system: any FileSystemCalls, writesSidecars: Bool, depth: Int,
        sidecarsAtOnce: Int = 20_000, mostHealed: Int64 = 32 << 20, report: @escaping ([RecoveredFile]) -> Void
    ) {
        folders = FolderWalk(root: root, system: system, depth: depth)
        library = Library(path: root.path, depth: depth, system: system)
        self.mostHealed = mostHealed
        self.system = system
        self.writesSidecars = writesSidecars
        self.sidecarsAtOnce = sidecarsAtOnce
        self.report = report
    }

    deinit {
        if hasBuffer { buffer.deallocate() }
    }

    /// Performs a small step. Returns false when everything is done.
    func step() -> Bool {
        if let reading {
            read(reading)
        } else if repaired.count == Self.batch || (names.isEmpty && !repaired.isEmpty) {
            complete()
        } else if let name = names.popLast(), let folder {
            switch PartSearch.part(
                named: name, in: folder.descriptor, folderPath: folder.path, sidecars: sidecars, system)
            {
            case .unfinished(let file): reading = file
            case .linked: PartSearch.removeSecondName(name, in: folder.descriptor, system)
            case .inUse: if !hasSidecar(name, in: folder) { isBusy = true }
            case .foreign, .closed, .withoutAudio: break
            }
        } else if !sidecars.isEmpty {
            lookAtSidecars()
        } else if let sidecarsBefore {
            listSidecars(before: sidecarsBefore)
        } else if !temporary.isEmpty {
            removeTemporary()
        } else if healing != nil {
            heal()
        } else if let base = found.popLast(), let folder {
            healing = SavedHealing(of: base, in: folder, atMost: mostHealed, library)
        } else {
            closeFolder()
            return openNext()
        }
        return true
    }

    /// Leaves everything in progress as it is.
    func abandon() {
        for file in repaired { file.close() }
        reading?.close()
        repaired = []
        reading = nil
        healing = nil
        closeFolder()
    }

    /// Opens the next folder and sorts its names. Returns false if there is none.
    private func openNext() -> Bool {
        var hasAudio = false
        var newest = NewestNames(limit: sidecarsAtOnce)
        folder = folders.next { name in
            switch RecordedName(name) {
            case .part: names.append(name)
            case .sidecar(let base): newest.add(base)
            case .temporary: temporary.append(name)
            case .found(let base): found.append(base)
            case .audio: hasAudio = true
            case nil: break
            }
        }
        guard let folder else { return false }
        // In a folder without recordings no sidecar is ours, so foreign files need not be read.
        if hasAudio || folder.parts.isEmpty || !names.isEmpty || !temporary.isEmpty {
            (sidecars, sidecarsBefore) = newest.take()
        }
        isBusy = !temporary.allSatisfy { TemporaryFile.isAbandoned($0, in: folder.descriptor, system) }
        // If there are parts, temporary files are removed first, because they may be second names of the parts.
        // Otherwise they are removed last, because a file that should have become a part identifies its sidecar as
        // ours.
        if !names.isEmpty { removeTemporary() }
        // Names are taken from the end.
        names.sort(by: >)
        return true
    }

    /// Reads the folder's names again, for the sidecars before `end`.
    private func listSidecars(before end: String) {
        sidecarsBefore = nil
        guard let folder else { return }
        var newest = NewestNames(limit: sidecarsAtOnce, before: end)
        var begun: [String] = []
        _ = try? system.names(in: folder.descriptor) { entry in
            switch RecordedName(entry.name) {
            case .sidecar(let base): newest.add(base)
            case .temporary: begun.append(entry.name)
            case .found, .audio, .part, nil: break
            }
            return false
        }
        // Some of these sidecars may be newer than the first pass over the folder, so their process may still be
        // writing a temporary file.
        if !begun.allSatisfy({ TemporaryFile.isAbandoned($0, in: folder.descriptor, system) }) { isBusy = true }
        (sidecars, sidecarsBefore) = newest.take()
    }

    private func hasSidecar(_ part: String, in folder: FolderWalk.Folder) -> Bool {
        guard case .part(let base, _)? = RecordedName(part) else { return false }
        return Companion.sidecar.exists(of: base, in: folder.descriptor, system) == true
    }

    private func removeTemporary() {
        guard let folder else { return }
        for name in temporary { TemporaryFile.removeAbandoned(name, in: folder.descriptor, system) }
        temporary = []
    }

    /// Checks for sidecars that say `growing` without a part.
    private func lookAtSidecars() {
        guard let folder else { return }
        for _ in 0..<Self.sidecarsPerStep {
            guard let base = sidecars.popLast() else { return }
            switch PartSearch.sidecar(of: base, in: folder.descriptor, folderPath: folder.path, system) {
            case .unfinished(let file):
                reading = file
                return
            case .withoutAudio where !isBusy: removeSidecar(base, in: folder)
            case .withoutAudio, .foreign, .inUse, .closed, .linked: break
            }
        }
    }

    /// Removes a sidecar without audio: its file was removed, or never got a name.
    private func removeSidecar(_ base: String, in folder: FolderWalk.Folder) {
        var bundle = SegmentBundle(
            base: base, fileExtension: "", in: folder.descriptor, folderPath: folder.path, system,
            owning: [.sidecar])
        bundle.adopt()
        guard (try? bundle.removeCompanions()) != nil else { return }
        report([RecoveredFile(path: bundle.path(of: .sidecar), outcome: .removed)])
    }

    private func read(_ file: PartFile) {
        hasBuffer = true
        for _ in 0..<Self.buffersPerStep {
            if file.read(buffer) { continue }
            reading = nil
            file.repair()
            repaired.append(file)
            return
        }
    }

    /// Completes the repaired files: one sync for all data, one for the names, one for the sidecars.
    private func complete() {
        guard let folder else { return }
        let areMany = repaired.count > Self.syncedAlone
        if !areMany || (try? system.syncFileSystem(of: folder.descriptor)) == nil {
            for file in repaired { file.sync() }
        }
        for file in repaired { file.takeName() }
        let described = repaired.filter { writesSidecars || $0.keepsSidecar || $0.hasFound }
        for file in described { file.prepareCompanions(syncing: !areMany) }
        if areMany { try? system.syncFileSystem(of: folder.descriptor) }
        for file in described { file.publishCompanions() }
        try? system.syncFolder(folder.descriptor)
        // The sidecars are not removed earlier, because until a file's name is durable, the sidecar identifies the file
        // as ours.
        for file in repaired where !writesSidecars && !file.keepsSidecar && !file.hasFound { file.removeCompanions() }
        for file in repaired { file.close() }
        found += repaired.filter(\.hasFound).map(\.base)
        report(repaired.map(\.result))
        repaired = []
    }

    /// Puts in the next piece of what was found for a file.
    private func heal() {
        guard healing?.step(in: library) == false else { return }
        if let file = healing?.healed { report([file]) }
        healing = nil
    }

    private func closeFolder() {
        if let folder { system.close(folder.descriptor) }
        folder = nil
        sidecars = []
        sidecarsBefore = nil
        (temporary, found) = ([], [])
    }

    private static let bufferSize = 256 << 10
    private static let buffersPerStep = 8
    private static let batch = 128
    private static let syncedAlone = 8
    private static let sidecarsPerStep = 64
}
