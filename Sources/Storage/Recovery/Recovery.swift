// SPDX-License-Identifier: MIT

import Glibc

/// Completes what earlier runs left behind in a recordings folder: every `.part` file
/// that is ours and that nobody holds the lock of.
///
/// Works in small steps between the writer's other duties, so that a new recording never waits for it: one folder, a
/// few megabytes of one file, or the completion of a batch of files, which share their syncs. Of the writer's thread.
final class Recovery {
    private let system: any FileSystemCalls
    private var root: RecordingsFolder
    private let report: ([RecoveredFile]) -> Void
    private let writesSidecars: Bool
    private let depth: Int
    /// Folders that are still to be looked into.
    private var folders: [[String]] = [[]]
    /// The folder that is being worked on, and the names of parts in it.
    private var folder: (descriptor: CInt, path: String)?
    private var names: [String] = []
    private var reading: PartFile?
    private var repaired: [PartFile] = []
    private lazy var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 64)
    private var hasBuffer = false

    init(
        root: RecordingsFolder, system: any FileSystemCalls, writesSidecars: Bool, depth: Int,
        report: @escaping ([RecoveredFile]) -> Void
    ) {
        self.root = root
        self.system = system
        self.writesSidecars = writesSidecars
        self.depth = depth
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
            reading = PartFile(named: name, in: folder.descriptor, folderPath: folder.path, system)
        } else {
            closeFolder()
            guard let next = folders.popLast() else { return false }
            look(into: next)
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

    private func look(into parts: [String]) {
        guard let descriptor = try? root.openExisting(parts) else { return }
        folder = (descriptor, ([root.path] + parts).joined(separator: "/"))
        let hasFolders = parts.count < depth
        let entries = try? system.names(in: descriptor) { entry in
            PartFile.parts(of: entry.name) != nil || (hasFolders && entry.mayBeFolder && !entry.name.hasPrefix("."))
        }
        for entry in entries ?? [] {
            if PartFile.parts(of: entry.name) != nil {
                names.append(entry.name)
            } else {
                folders.append(parts + [entry.name])
            }
        }
        // They are taken from the end.
        names.sort(by: >)
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

    /// One sync for the data of all, one for their names, one for their sidecars.
    private func complete() {
        guard let folder else { return }
        let areMany = repaired.count > Self.syncedAlone
        if !areMany || (try? system.syncFileSystem(of: folder.descriptor)) == nil {
            for file in repaired { file.sync() }
        }
        for file in repaired { file.takeName() }
        if writesSidecars {
            for file in repaired { file.prepareSidecar(syncing: !areMany) }
            if areMany { try? system.syncFileSystem(of: folder.descriptor) }
            for file in repaired { file.publishSidecar() }
        }
        try? system.syncFolder(folder.descriptor)
        report(repaired.map(\.result))
        for file in repaired { file.close() }
        repaired = []
    }

    private func closeFolder() {
        if let folder { system.close(folder.descriptor) }
        folder = nil
    }

    private static let bufferSize = 256 << 10
    private static let buffersPerStep = 8
    private static let batch = 128
    private static let syncedAlone = 8
}
