// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// A file that grows as `NAME.EXT.part` in its final folder, and gets its final name when it is complete.
///
/// It starts as a temporary file and becomes a part once the file or its sidecar identifies it as ours (``PartClaim``).
/// Holds an exclusive lock while the file is open, so that the recovery of another process leaves it alone. Must end
/// with exactly one of ``complete(_:)``, ``discard()`` and ``leave()``. For the writer's thread.
final class SegmentFile {
    let spec: SegmentFileSpec
    /// Why the first sidecar could not be written. The file continues without it.
    private(set) var sidecarProblem: StorageError?
    /// Why the file's first name may not have become durable.
    private var folderProblem: StorageError?
    /// Whether the file has been removed, so that its data is lost.
    private(set) var isGone = false
    private let system: any FileSystemCalls
    private let folder: CInt
    private let descriptor: CInt
    private var names: SegmentNames
    /// The newest sidecar of the growing file; nil if the file has none.
    private(set) var growingSidecar: [UInt8]?
    /// The totals of the frames that are wholly in the file.
    private var totals = FrameTotals()
    private var checksum = AudioChecksum()
    /// The index of the frames; nil if none is kept.
    private var index: FrameIndex?
    /// The bytes that growing companions get with the next sync of the file.
    private(set) var growth: [Companion: [UInt8]] = [:]
    /// The length of the whole units in the file in bytes, including the header.
    private var size: Int64 = 0
    /// Ogg: the last pages appended, and their offset.
    private var lastPages: (offset: Int64, bytes: [UInt8])?
    /// Why the file must not get its final name: it ends in a torn unit, or its data may not be on the disk.
    private var flaw: StorageError?
    private var isClosed = false

    private init(
        _ spec: SegmentFileSpec, in folder: CInt, folderPath: String, _ system: any FileSystemCalls
    )
        throws(SystemError)
    {
        let file = try TemporaryFile(in: folder, system)
        self.spec = spec
        self.system = system
        index = spec.indexRate.map { FrameIndex(sampleRate: $0) }
        self.folder = folder
        descriptor = file.descriptor
        names = SegmentNames(spec, temporary: file, in: folder, folderPath: folderPath, system)
    }

    deinit {
        assert(isClosed, "\(facts.path) was neither completed nor left")
    }

    /// The device of the file: all files of a device can be synced together.
    private(set) lazy var device: UInt64 = (try? system.status(of: descriptor).device) ?? 0

    /// The space of the file's disk; nil if unknown.
    var space: DiskSpace? { try? system.space(of: descriptor) }

    /// Whether the file contains only a header.
    var isEmpty: Bool { size <= Int64(spec.header.count) }

    /// See ``SegmentNames/expectedPath``.
    var expectedPath: String { names.expectedPath }

    var facts: FileFacts {
        FileFacts(path: names.path, frames: totals.frames, bytes: totals.bytes, samples: totals.samples)
    }

    // MARK: Creation

    /// Creates the file with its header and first sidecar, under the first free name.
    static func create(
        _ spec: SegmentFileSpec, in root: RecordingsFolder, _ system: any FileSystemCalls
    )
        throws(StorageError) -> SegmentFile
    {
        let folder = try root.open(spec.folders)
        let folderPath = root.path(spec.folders.dropLast(), spec.folders.last ?? "").trimmingSlash
        let file: SegmentFile
        do throws(SystemError) {
            file = try SegmentFile(spec, in: folder, folderPath: folderPath, system)
        } catch {
            system.close(folder)
            throw StorageError(error, .create, "\(folderPath)/\(spec.name).\(spec.fileExtension).part")
        }
        do throws(StorageError) {
            try file.begin()
            return file
        } catch {
            file.discard()
            throw error
        }
    }

    private func begin() throws(StorageError) {
        let isMarked = PartClaim.mark(descriptor, spec.sidecar ?? spec.passingSidecar, system)
        growingSidecar = spec.sidecar ?? (isMarked ? nil : spec.passingSidecar)
        if !spec.header.isEmpty {
            let header = WriterItem(
                payload: .bytes(spec.header), frames: 0, frameBytes: 0, samples: 0, arrival: .init(nanoseconds: 0))
            if let error = append([header]).error { throw error }
            // The header contains no frames.
            checksum = AudioChecksum()
        }
        try names.takePart { beginSidecar(&$0) }
        // Makes the names of the file and its sidecar durable, which a sync of the file may not do. The kernel reports
        // a failure only once, so the failure is kept for the end of the file.
        do throws(SystemError) {
            try system.syncNames(in: folder)
        } catch {
            folderProblem = StorageError(error, .sync, names.folderPath)
        }
    }

    /// Writes the first sidecar, unless the bundle brought it from an earlier name. Returns false if the name has been
    /// taken meanwhile.
    private func beginSidecar(_ bundle: inout SegmentBundle) -> Bool {
        sidecarProblem = nil
        guard let growingSidecar, !bundle.owned.contains(.sidecar) else { return true }
        do throws(StorageError) {
            return try bundle.write(.sidecar, growingSidecar, syncsNewName: false)
        } catch {
            sidecarProblem = error
            return true
        }
    }

    // MARK: Growth

    /// Appends units in order. Counts only units that are wholly in the file, and truncates a unit that was written in
    /// part.
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
            item.withBytes { bytes in
                if spec.isPaged { checksum.take(packetsOf: bytes) } else { checksum.take(bytes) }
                guard item.frames > 0 else { return }
                index?.note(
                    frame: totals.frames, byte: size + Int64(wholeBytes), samples: totals.samples, at: item.at, bytes)
            }
            whole += 1
            wholeBytes += item.count
            totals += item.totals
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

    /// Makes the appended data survive a power cut. After a failure the descriptor must not be synced again: the kernel
    /// may have dropped the data that it could not write. Also throws if the file has lost its name.
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

    /// Appends to a companion with the next sync of the file, or at once if it cannot be made again; then returns where
    /// the bytes are.
    @discardableResult
    func append(_ bytes: [UInt8], to companion: Companion) -> Range<Int64>? {
        guard companion.isMade else { return names.bundle.append(companion, bytes) }
        growth[companion, default: []] += bytes
        return nil
    }

    private func growCompanions(isEnd: Bool = false) {
        if isEnd || index?.isDue == true, let bytes = index?.takeBytes() { append(bytes, to: .index) }
        for (companion, bytes) in growth where !bytes.isEmpty { names.bundle.append(companion, bytes) }
        growth = [:]
    }

    /// Throws if the file has been removed: data written to it would vanish when it is closed. If somebody has renamed
    /// the file, its companions are renamed, too; a sidecar that somebody has removed is written again.
    func checkName() throws(StorageError) {
        guard let status = try? system.status(of: descriptor) else { return }
        guard status.links == 0 else {
            // A file that was moved to another folder grows there. Its end reports that it cannot get its name.
            try? follow(status)
            return growCompanions()
        }
        let error = StorageError(code: .missing, action: .write, path: facts.path)
        flaw = error
        isGone = true
        throw error
    }

    private func follow(_ status: FileStatus) throws(StorageError) {
        try names.follow(descriptor, status)
        if let growingSidecar, names.bundle.isGone(.sidecar) {
            _ = try? names.bundle.write(.sidecar, growingSidecar)
        }
    }

    /// Syncs the file's whole device. Returns false if that fails; the files must then be synced one by one.
    func syncFileSystem() -> Bool {
        (try? system.syncFileSystem(of: descriptor)) != nil
    }

    /// Replaces the sidecar, if the file has one, and the mark of a growing file.
    func writeSidecar(_ bytes: [UInt8], isComplete: Bool = false) throws(StorageError) {
        if !isComplete, !PartClaim.mark(descriptor, bytes, system) || growingSidecar != nil { growingSidecar = bytes }
        guard growingSidecar != nil else { return }
        try names.bundle.replace(.sidecar, bytes, isComplete: isComplete)
    }

    // MARK: Ends

    /// In this order: patches the header and the last page, syncs, gives the file its name, syncs the folder, writes
    /// the sidecar or removes a temporary one, and removes the file's mark. If the process dies at any point in
    /// between, recovery finds a part that is ours, or a sidecar with the state `growing`.
    ///
    /// Throws if the file could not get its name: it then remains a `.part`, which the next start completes. Returns
    /// other errors: of the patches, without which the audio is complete, of the folder and of the sidecar. Closes the
    /// file in either case.
    func complete(
        _ ending: FileEnding
    ) throws(StorageError) -> (
        finished: FinishedFile, problem: StorageError?, sidecarProblem: StorageError?
    ) {
        defer {
            if isGone { try? names.bundle.removeCompanions() }
            leave()
        }
        if !isGone { names.locate() }
        if let flaw { throw flaw }
        let unpatched = patch(ending)
        try sync()
        growCompanions(isEnd: true)
        if let status = try? system.status(of: descriptor) { try follow(status) }
        try names.takeFinal(isWhole: ending.isWhole)
        var problem = folderProblem ?? unpatched.map { StorageError($0, .patch, facts.path) }
        do throws(SystemError) {
            try system.syncNames(in: folder)
        } catch {
            problem = StorageError(error, .sync, names.folderPath)
        }
        let writerFacts = WriterFacts(checksum: checksum.value)
        var sidecarProblem: StorageError?
        if spec.sidecar == nil {
            try? names.bundle.removeCompanions()
        } else if let last = ending.sidecar {
            do throws(StorageError) {
                try writeSidecar(writerFacts.added(to: last), isComplete: true)
            } catch {
                sidecarProblem = error
            }
        }
        PartClaim.unmark(descriptor, system)
        let finished = FinishedFile(
            folders: spec.folders, folder: try? system.status(of: folder), base: names.bundle.base,
            fileExtension: spec.fileExtension,
            sidecar: spec.sidecar == nil ? .notKept : names.bundle.owned.contains(.sidecar) ? .written : .missing,
            facts: writerFacts, grown: names.bundle.grown)
        return (finished, problem, sidecarProblem)
    }

    /// Writes the header and the last page again. Returns why that failed, if it did.
    private func patch(_ ending: FileEnding) -> SystemError? {
        do throws(SystemError) {
            if let header = ending.header, header.count == spec.header.count, header != spec.header {
                try system.writeAll(descriptor, header, at: 0)
            }
            try endPages()
            return nil
        } catch {
            return error
        }
    }

    /// Ogg: marks the last page as the last, if that was unknown when it was written.
    private func endPages() throws(SystemError) {
        guard let lastPages else { return }
        var end = OggFileEnd()
        lastPages.bytes.withUnsafeBytes { end.append($0) }
        end.finish()
        guard let page = end.lastPage, page.bytes != Array(lastPages.bytes[Int(page.offset)...]) else { return }
        try system.writeAll(descriptor, page.bytes, at: lastPages.offset + page.offset)
        try system.truncate(descriptor, to: lastPages.offset + page.offset + Int64(page.bytes.count))
    }

    /// Removes a file without audio, and its companions. Renames the file to a temporary one first: a part without its
    /// sidecar, or a sidecar alone, could not be identified as ours.
    func discard() {
        if !isGone { names.takeTemporary() }
        try? names.bundle.removeCompanions()
        if !isGone { names.remove() }
        leave()
    }

    /// Closes the file as it is: the next start completes it.
    func leave() {
        guard !isClosed else { return }
        isClosed = true
        names.bundle.close()
        system.close(descriptor)
        system.close(folder)
    }
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
