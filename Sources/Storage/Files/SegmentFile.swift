// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioFormats

/// One file that grows as `NAME.EXT.part` in its final folder and gets its name when it is complete.
///
/// Holds an exclusive lock on the file for as long as it is open, so that another process that completes what was left
/// behind leaves it alone. Ends with exactly one of ``complete(_:)``, ``discard()`` and ``leave()``. Of the writer's
/// thread.
final class SegmentFile {
    let spec: SegmentFileSpec
    private(set) var facts: FileFacts
    private let system: any FileSystemCalls
    private let folderPath: String
    private let folder: CInt
    private let descriptor: CInt
    /// The name with its number, without extension.
    private var base: String
    private var sidecar: SidecarFile?
    /// Bytes that are whole in the file, the header included.
    private var size: Int64 = 0
    /// Ogg: the last pages that were appended, and where they begin.
    private var lastPages: (offset: Int64, bytes: [UInt8])?
    /// Why the file may get no final name: it ends in a torn unit, or what is in it may not be on the disk.
    private var flaw: StorageError?
    private var isClosed = false

    private init(
        spec: SegmentFileSpec, system: any FileSystemCalls, folderPath: String, folder: CInt, descriptor: CInt,
        base: String
    ) {
        self.spec = spec
        self.system = system
        self.folderPath = folderPath
        self.folder = folder
        self.descriptor = descriptor
        self.base = base
        facts = FileFacts(path: "\(folderPath)/\(base).\(spec.fileExtension).part")
    }

    deinit {
        assert(isClosed, "\(facts.path) was neither completed nor left")
    }

    /// Where the device numbers come from: files of one device can be synced together.
    var device: UInt64 { (try? system.status(of: descriptor).device) ?? 0 }

    /// Whether there is nothing but a header in the file.
    var isEmpty: Bool { size <= Int64(spec.header.count) }

    /// The name that the file is going to have, unless somebody takes it before.
    var expectedPath: String { "\(folderPath)/\(base).\(spec.fileExtension)" }

    // MARK: Creation

    /// Creates the file under the first name that is free, with its header and first sidecar.
    static func create(
        _ spec: SegmentFileSpec, in root: inout RecordingsFolder, _ system: any FileSystemCalls
    )
        throws(StorageError) -> SegmentFile
    {
        let folder = try root.open(spec.folders)
        let folderPath = root.path(spec.folders.dropLast(), spec.folders.last ?? "").trimmingSlash
        do throws(StorageError) {
            for name in NumberedNames(spec.name) {
                guard RecordingsFolder.isPlainName(name) else {
                    throw StorageError(code: .badName, action: .create, path: "\(folderPath)/\(name)")
                }
                if let file = try create(spec, named: name, folder, folderPath, system) { return file }
            }
            throw StorageError(code: .nameTaken, action: .create, path: "\(folderPath)/\(spec.name)")
        } catch {
            system.close(folder)
            throw error
        }
    }

    /// One try: nil where the name is taken.
    private static func create(
        _ spec: SegmentFileSpec, named base: String, _ folder: CInt, _ folderPath: String,
        _ system: any FileSystemCalls
    ) throws(StorageError) -> SegmentFile? {
        let final = "\(base).\(spec.fileExtension)"
        let part = final + ".part"
        let descriptor: CInt
        do throws(SystemError) {
            if try system.exists(in: folder, name: final) { return nil }
            if try system.exists(in: folder, name: SidecarFile.name(of: base)) { return nil }
            descriptor = try system.createFile(in: folder, name: part)
        } catch {
            if error.number == EEXIST { return nil }
            throw StorageError(error, .create, "\(folderPath)/\(part)")
        }
        // Between the two calls another process may have taken the file for one that was left behind.
        guard Self.isOurs(descriptor, system) else {
            system.close(descriptor)
            return nil
        }
        let file = SegmentFile(
            spec: spec, system: system, folderPath: folderPath, folder: folder, descriptor: descriptor, base: base)
        do throws(StorageError) {
            guard try file.begin() else {
                file.removeNames()
                file.closeDescriptors(keepingFolder: true)
                return nil
            }
            return file
        } catch {
            file.removeNames()
            file.closeDescriptors(keepingFolder: true)
            throw error
        }
    }

    private static func isOurs(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        do throws(SystemError) {
            guard try system.lock(descriptor) else { return false }
            return try system.status(of: descriptor).links > 0
        } catch {
            // No locks on this file system: recovery, which insists on one, keeps away as well.
            return true
        }
    }

    /// Writes header and sidecar; false where the sidecar's name was taken meanwhile.
    private func begin() throws(StorageError) -> Bool {
        if !spec.header.isEmpty {
            let header = WriterItem(
                payload: .bytes(spec.header), frames: 0, frameBytes: 0, samples: 0, arrival: .init(nanoseconds: 0))
            if let error = append([header]).error { throw error }
        }
        guard let first = spec.sidecar else {
            // Nothing else would tell whose the file is. Without attributes recovery leaves it alone.
            if spec.header.isEmpty { try? system.mark(descriptor, PartClaim.attribute) }
            return true
        }
        var file = SidecarFile(base: base, folder: folder, folderPath: folderPath, system: system)
        guard try file.write(first) else { return false }
        sidecar = file
        return true
    }

    // MARK: Growth

    /// Appends units in order. Those that are not wholly in the file afterwards are not counted, and what is there of
    /// the first of them has been cut off again.
    func append(_ items: ArraySlice<WriterItem>) -> (whole: Int, error: StorageError?) {
        let batch = BatchWriter { [system, descriptor] buffers throws(SystemError) in
            try system.write(descriptor, buffers)
        }
        let (bytes, error) = batch.write(items)
        var whole = 0
        var wholeBytes = 0
        for item in items {
            guard wholeBytes + item.count <= bytes else { break }
            if spec.isPaged, case .bytes(let pages) = item.payload { lastPages = (size + Int64(wholeBytes), pages) }
            whole += 1
            wholeBytes += item.count
            facts.frames += Int64(item.frames)
            facts.bytes += Int64(item.frameBytes)
            facts.samples = facts.samples.addingSaturated(item.samples)
        }
        size += Int64(wholeBytes)
        guard let error else { return (whole, nil) }
        let cause = StorageError(error, .write, facts.path)
        if bytes > wholeBytes {
            do throws(SystemError) {
                try system.truncate(descriptor, to: size)
            } catch {
                flaw = cause
            }
        }
        return (whole, cause)
    }

    /// Makes what was appended survive a power cut. After a failure the descriptor must not be synced again: the
    /// kernel may have forgotten what it could not write. Throws as well where the file has lost its name.
    func sync() throws(StorageError) {
        do throws(SystemError) {
            try system.sync(descriptor)
        } catch {
            let error = StorageError(error, .sync, facts.path)
            flaw = error
            throw error
        }
        try checkName()
    }

    /// Throws where somebody has removed the file: what is written to it would vanish when it is closed.
    func checkName() throws(StorageError) {
        guard let status = try? system.status(of: descriptor), status.links == 0 else { return }
        let error = StorageError(code: .missing, action: .write, path: facts.path)
        flaw = error
        throw error
    }

    /// Syncs everything on the file's device; where that fails the files are to be synced one by one.
    func syncFileSystem() -> Bool {
        (try? system.syncFileSystem(of: descriptor)) != nil
    }

    /// Replaces the sidecar; does nothing where none is kept.
    func writeSidecar(_ bytes: [UInt8]) throws(StorageError) {
        _ = try sidecar?.write(bytes)
    }

    // MARK: Ends

    /// Patches the header, syncs, gives the file its name, syncs the folder and writes the sidecar, in this order.
    ///
    /// Throws where the file could not get its name: it is left as a `.part` then, for the next start to complete.
    /// Returns what went wrong after that. Closes the file either way.
    func complete(_ ending: FileEnding) throws(StorageError) -> (finished: FinishedFile, problem: StorageError?) {
        defer { leave() }
        if let flaw { throw flaw }
        if let header = ending.header, header.count == spec.header.count, header != spec.header {
            do throws(SystemError) {
                try system.writeAll(descriptor, header, at: 0)
            } catch {
                throw StorageError(error, .complete, facts.path)
            }
        }
        try endPages()
        try sync()
        try takeFinalName()
        var problem: StorageError?
        do throws(SystemError) {
            try system.syncFolder(folder)
        } catch {
            problem = StorageError(error, .sync, folderPath)
        }
        if let last = ending.sidecar {
            do throws(StorageError) {
                try writeSidecar(last)
            } catch {
                problem = error
            }
        }
        return (FinishedFile(folders: spec.folders, base: base, hasSidecar: sidecar != nil), problem)
    }

    /// Ogg: flags the last page as the last, where that was not to be known when it was written.
    private func endPages() throws(StorageError) {
        guard let lastPages else { return }
        var end = OggFileEnd()
        lastPages.bytes.withUnsafeBytes { end.append($0) }
        end.finish()
        guard let page = end.lastPage, page.bytes != Array(lastPages.bytes[Int(page.offset)...]) else { return }
        do throws(SystemError) {
            try system.writeAll(descriptor, page.bytes, at: lastPages.offset + page.offset)
            try system.truncate(descriptor, to: lastPages.offset + page.offset + Int64(page.bytes.count))
        } catch {
            throw StorageError(error, .complete, facts.path)
        }
    }

    /// Removes a file that holds no audio.
    func discard() {
        removeNames()
        leave()
    }

    /// Closes the file as it is: the next start completes it.
    func leave() {
        closeDescriptors(keepingFolder: false)
    }

    private func takeFinalName() throws(StorageError) {
        let part = "\(base).\(spec.fileExtension).part"
        for name in NumberedNames(spec.name, startingAt: base) {
            do throws(SystemError) {
                if name != base {
                    // A sidecar of somebody else's must stay as well.
                    guard try !system.exists(in: folder, name: SidecarFile.name(of: name)) else { continue }
                }
                try system.move(in: folder, part, toFree: "\(name).\(spec.fileExtension)")
            } catch {
                if error.number == EEXIST { continue }
                throw StorageError(error, .rename, facts.path)
            }
            if name != base { sidecar?.move(to: name) }
            base = name
            facts.path = expectedPath
            return
        }
        throw StorageError(code: .nameTaken, action: .rename, path: facts.path)
    }

    private func removeNames() {
        try? system.remove(in: folder, name: "\(base).\(spec.fileExtension).part")
        sidecar?.remove()
        sidecar = nil
    }

    private func closeDescriptors(keepingFolder: Bool) {
        guard !isClosed else { return }
        isClosed = true
        system.close(descriptor)
        if !keepingFolder { system.close(folder) }
    }
}

/// A complete file whose sidecar may still be rewritten.
struct FinishedFile: Sendable {
    var folders: [String]
    var base: String
    var hasSidecar: Bool
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
