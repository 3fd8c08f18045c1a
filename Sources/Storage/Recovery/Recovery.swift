// SPDX-License-Identifier: MIT

import Glibc
import RadioCore

/// Completes what earlier runs left behind in a recordings folder, and removes files that were only temporary.
///
/// That is: every `.part` file that is ours, every sidecar that says `growing` beside complete audio or none, and our
/// temporary files; all of them only where nobody holds the lock. They are looked for in the folder and in every folder
/// below it that a name template may have made, whatever the template is now.
///
/// Works in small steps between the writer's other duties, so that a new recording never waits for it: one folder, a
/// few megabytes of one file, some sidecars, or the completion of a batch of files, which share their syncs. Of the
/// writer's thread.
final class Recovery {
    private let system: any FileSystemCalls
    private let report: ([RecoveredFile]) -> Void
    private let writesSidecars: Bool
    private let sidecarsAtOnce: Int
    private var folders: FolderWalk
    /// The folder that is being worked on, and the names of parts and of sidecars in it.
    private var folder: FolderWalk.Folder?
    private var names: [String] = []
    private var sidecars: [String] = []
    /// Where there are more sidecars in it than are held at once: those of names before this one come next.
    private var sidecarsBefore: String?
    /// Temporary files in it that nobody writes, to be removed after the sidecars.
    private var temporary: [String] = []
    /// Whether somebody writes a temporary file in it: a sidecar may be there before its audio.
    private var isBusy = false
    private var reading: PartFile?
    private var repaired: [PartFile] = []
    private lazy var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 64)
    private var hasBuffer = false

    /// `depth` is that of ``FolderWalk``. `sidecarsAtOnce` is how many names of sidecars are worked on at once: a
    /// folder may have a hundred thousand.
    init(
        root: RecordingsFolder, system: any FileSystemCalls, writesSidecars: Bool, depth: Int,
        sidecarsAtOnce: Int = 20_000, report: @escaping ([RecoveredFile]) -> Void
    ) {
        folders = FolderWalk(root: root, system: system, depth: depth)
        self.system = system
        self.writesSidecars = writesSidecars
        self.sidecarsAtOnce = sidecarsAtOnce
        self.report = report
    }

    deinit {
        if hasBuffer { buffer.deallocate() }
    }

    /// Does a little; returns false when everything is done.
    func step() -> Bool {
        if let reading {
            read(reading)
        } else if repaired.count == Self.batch || (names.isEmpty && !repaired.isEmpty) {
            complete()
        } else if let name = names.popLast(), let folder {
            reading = PartFile.part(named: name, in: folder.descriptor, folderPath: folder.path, system)
        } else if !sidecars.isEmpty {
            lookAtSidecars()
        } else if let sidecarsBefore {
            listSidecars(before: sidecarsBefore)
        } else if !temporary.isEmpty {
            removeTemporary()
        } else {
            closeFolder()
            return openNext()
        }
        return true
    }

    /// Leaves everything that is under way as it is.
    func abandon() {
        for file in repaired { file.close() }
        reading?.close()
        repaired = []
        reading = nil
        closeFolder()
    }

    /// Opens the next folder and sorts the names in it; false where there is none.
    private func openNext() -> Bool {
        var hasAudio = false
        var newest = NewestNames(limit: sidecarsAtOnce)
        folder = folders.next { name in
            switch RecordedName(name) {
            case .part: names.append(name)
            case .sidecar(let base): newest.add(base)
            case .temporary: temporary.append(name)
            case .audio: hasAudio = true
            case nil: break
            }
        }
        guard let folder else { return false }
        // In a folder without any recording no sidecar is ours: there is no need to look into others' files.
        if hasAudio || folder.parts.isEmpty || !names.isEmpty || !temporary.isEmpty {
            (sidecars, sidecarsBefore) = newest.take()
        }
        isBusy = !temporary.allSatisfy { TemporaryFile.isAbandoned($0, in: folder.descriptor, system) }
        // Temporary files go first where there are parts, because they may be second names of those. Otherwise they go
        // last, because one that was to become a part tells whose its sidecar is.
        if !names.isEmpty { removeTemporary() }
        // Taken from the end.
        names.sort(by: >)
        return true
    }

    /// Reads the names of the folder once more, for the sidecars before `end`.
    private func listSidecars(before end: String) {
        sidecarsBefore = nil
        guard let folder else { return }
        var newest = NewestNames(limit: sidecarsAtOnce, before: end)
        var begun: [String] = []
        _ = try? system.names(in: folder.descriptor) { entry in
            switch RecordedName(entry.name) {
            case .sidecar(let base): newest.add(base)
            case .temporary: begun.append(entry.name)
            case .audio, .part, nil: break
            }
            return false
        }
        // Some of these sidecars may be younger than the first look into the folder.
        if !begun.allSatisfy({ TemporaryFile.isAbandoned($0, in: folder.descriptor, system) }) { isBusy = true }
        (sidecars, sidecarsBefore) = newest.take()
    }

    private func removeTemporary() {
        guard let folder else { return }
        for name in temporary { TemporaryFile.removeAbandoned(name, in: folder.descriptor, system) }
        temporary = []
    }

    /// Looks for sidecars that say `growing` though no part is there.
    private func lookAtSidecars() {
        guard let folder else { return }
        for _ in 0..<Self.sidecarsPerStep {
            guard let base = sidecars.popLast() else { return }
            guard let begun = BegunSidecar(base: base, in: folder.descriptor, system) else { continue }
            let audio = "\(base).\(begun.fileExtension)"
            // Where that cannot be told, somebody may be writing the part.
            guard (try? system.exists(in: folder.descriptor, name: audio + ".part")) == false else { continue }
            switch try? system.exists(in: folder.descriptor, name: audio) {
            case true?:
                reading = PartFile.audio(of: begun, in: folder.descriptor, folderPath: folder.path, system)
                if reading != nil { return }
            case false? where !isBusy:
                removeSidecar(base, in: folder)
            case false?, nil: break
            }
        }
    }

    /// Removes a sidecar that has no audio: its file was removed, or never got a name.
    private func removeSidecar(_ base: String, in folder: FolderWalk.Folder) {
        let name = SidecarFile.name(of: base)
        guard (try? system.remove(in: folder.descriptor, name: name)) != nil else { return }
        report([RecoveredFile(path: "\(folder.path)/\(name)", outcome: .removed)])
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

    /// Completes the repaired files: one sync for the data of all, one for their names, one for their sidecars.
    private func complete() {
        guard let folder else { return }
        let areMany = repaired.count > Self.syncedAlone
        if !areMany || (try? system.syncFileSystem(of: folder.descriptor)) == nil {
            for file in repaired { file.sync() }
        }
        for file in repaired { file.takeName() }
        let described = repaired.filter { writesSidecars || $0.keepsSidecar }
        for file in described { file.prepareSidecar(syncing: !areMany) }
        if areMany { try? system.syncFileSystem(of: folder.descriptor) }
        for file in described { file.publishSidecar() }
        try? system.syncFolder(folder.descriptor)
        // Only now: until a file's name is safe, the sidecar tells that the file is ours.
        for file in repaired where !writesSidecars && !file.keepsSidecar { file.removeSidecar() }
        report(repaired.map(\.result))
        for file in repaired { file.close() }
        repaired = []
    }

    private func closeFolder() {
        if let folder { system.close(folder.descriptor) }
        folder = nil
        sidecars = []
        sidecarsBefore = nil
        temporary = []
    }

    private static let bufferSize = 256 << 10
    private static let buffersPerStep = 8
    private static let batch = 128
    private static let syncedAlone = 8
    private static let sidecarsPerStep = 64
}
