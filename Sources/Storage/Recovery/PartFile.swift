// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats

/// A `.part` file that nobody writes any more, on its way to completion. Of the writer's thread.
///
/// Holds the file's lock. Read with ``read(_:)`` until that is done, then ``repair()``, then a sync by the caller,
/// ``takeName()``, and ``prepareSidecar(syncing:)``, another sync, ``publishSidecar()``; ``close()`` in any case.
final class PartFile {
    let folder: CInt
    let descriptor: CInt
    private let system: any FileSystemCalls
    private let folderPath: String
    private let fileExtension: String
    /// The name without extension, and that with which it was found.
    private var base: String
    private let foundBase: String
    private var scan: PartScan
    private var offset: Int64 = 0
    private var sidecar: SidecarFile?
    private(set) var error: StorageError?
    private(set) var isRemoved = false

    /// Takes a file over; nil where it is not surely ours to complete: somebody writes it, or it bears no mark of
    /// ours (``PartClaim``). Browsers and others call their downloads `.part` as well.
    init?(named name: String, in folder: CInt, folderPath: String, _ system: any FileSystemCalls) {
        guard let (base, fileExtension) = Self.parts(of: name), let scan = PartScan(fileExtension: fileExtension),
            let descriptor = try? system.openFile(in: folder, name: name)
        else { return nil }
        // Without a lock nobody can tell whether another process writes it.
        guard (try? system.lock(descriptor)) == true, let status = try? system.status(of: descriptor),
            status.isRegularFile, status.links == 1
        else {
            system.close(descriptor)
            return nil
        }
        self.folder = folder
        self.folderPath = folderPath
        self.system = system
        self.descriptor = descriptor
        self.base = base
        self.fileExtension = fileExtension
        self.scan = scan
        foundBase = base
        let isOurs =
            begunSidecar != nil || system.isMarked(descriptor, PartClaim.attribute)
            || PartClaim.holds(forBeginning: beginning)
        guard isOurs else {
            system.close(descriptor)
            return nil
        }
    }

    /// Name and extension of `NAME.EXT.part`.
    static func parts(of name: String) -> (base: String, fileExtension: String)? {
        guard name.hasSuffix(".part"), !name.hasPrefix(".") else { return nil }
        let rest = name.dropLast(5)
        guard let dot = rest.lastIndex(of: "."), dot != rest.startIndex else { return nil }
        let fileExtension = String(rest[rest.index(after: dot)...])
        guard PartScan(fileExtension: fileExtension) != nil else { return nil }
        return (String(rest[..<dot]), fileExtension)
    }

    var path: String { "\(folderPath)/\(base).\(fileExtension)" }
    private var partPath: String { "\(folderPath)/\(foundBase).\(fileExtension).part" }
    var isDone: Bool { error != nil || isRemoved }

    /// Reads on; returns false at the end of the file.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        do throws(SystemError) {
            let count = try system.read(descriptor, into: buffer, at: offset)
            offset += Int64(count)
            guard count > 0 else {
                scan.finish()
                return false
            }
            scan.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        } catch {
            self.error = StorageError(error, .recover, partPath)
            return false
        }
    }

    /// Cuts the file at its last whole frame and completes its head or its last page. A blank file is removed, with
    /// the sidecar that was begun for it.
    func repair() {
        guard error == nil else { return }
        do throws(SystemError) {
            guard let (size, patches) = scan.repair else {
                guard scan.isBlank else { throw SystemError(number: ENODATA) }
                try system.remove(in: folder, name: "\(foundBase).\(fileExtension).part")
                if begunSidecar != nil { try system.remove(in: folder, name: SidecarFile.name(of: foundBase)) }
                isRemoved = true
                return
            }
            for patch in patches { try system.writeAll(descriptor, patch.bytes, at: patch.offset) }
            try system.truncate(descriptor, to: size)
        } catch {
            self.error = StorageError(error, .recover, partPath)
        }
    }

    func sync() {
        guard !isDone else { return }
        do throws(SystemError) {
            try system.sync(descriptor)
        } catch {
            self.error = StorageError(error, .sync, partPath)
        }
    }

    /// Gives the file its final name, or one beside it where that is taken.
    func takeName() {
        guard !isDone else { return }
        let found = begunSidecar
        for name in NumberedNames(foundBase) {
            do throws(SystemError) {
                let isOwn = name == foundBase && found != nil
                if !isOwn, try system.exists(in: folder, name: SidecarFile.name(of: name)) { continue }
                try system.move(
                    in: folder, "\(foundBase).\(fileExtension).part", toFree: "\(name).\(fileExtension)")
            } catch {
                if error.number == EEXIST { continue }
                self.error = StorageError(error, .rename, partPath)
                return
            }
            base = name
            finalSidecar = completed(found)
            sidecar = SidecarFile(
                base: foundBase, folder: folder, folderPath: folderPath, system: system, isOwned: found != nil)
            if name != foundBase { sidecar?.move(to: name) }
            return
        }
        error = StorageError(code: .nameTaken, action: .rename, path: partPath)
    }

    /// Writes the sidecar beside its place.
    func prepareSidecar(syncing: Bool) {
        guard !isDone, let finalSidecar else { return }
        do throws(StorageError) {
            try sidecar?.prepare(finalSidecar.encoded, syncing: syncing)
        } catch {
            self.error = error
        }
    }

    func publishSidecar() {
        guard !isDone, finalSidecar != nil else { return }
        do throws(StorageError) {
            _ = try sidecar?.publish()
        } catch {
            self.error = error
        }
    }

    func close() {
        system.close(descriptor)
    }

    var result: RecoveredFile {
        let outcome: RecoveredFile.Outcome = error.map { .failed($0) } ?? (isRemoved ? .removed : .completed)
        return RecoveredFile(
            path: error == nil && !isRemoved ? path : partPath, frames: scan.frames, bytes: scan.bytes,
            seconds: scan.format?.seconds(of: scan.samples) ?? 0, outcome: outcome)
    }

    private var finalSidecar: Sidecar?

    private var beginning: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: PartClaim.length)
        let count = bytes.withUnsafeMutableBytes { (try? system.read(descriptor, into: $0, at: 0)) ?? 0 }
        return Array(bytes.prefix(count))
    }

    /// The sidecar that was begun for the file; nil where there is none or it is another file's.
    private var begunSidecar: Sidecar? {
        guard let descriptor = try? system.openFile(in: folder, name: SidecarFile.name(of: foundBase)) else {
            return nil
        }
        defer { system.close(descriptor) }
        guard let size = try? system.status(of: descriptor).size, size <= Sidecar.maximumLength else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let count = bytes.withUnsafeMutableBytes { (try? system.read(descriptor, into: $0, at: 0)) ?? 0 }
        guard let sidecar = Sidecar(parsing: Array(bytes.prefix(count))), sidecar.state == .growing else { return nil }
        return sidecar
    }

    /// What is known of the file now.
    private func completed(_ begun: Sidecar?) -> Sidecar? {
        guard var format = scan.format else { return nil }
        format.headerPackets = []
        var sidecar = begun ?? Sidecar(format: format, at: nil, frames: 0, bytes: 0, samples: 0, state: .interrupted)
        sidecar.frames = scan.frames
        sidecar.bytes = scan.bytes
        sidecar.samples = scan.samples
        sidecar.state = .interrupted
        sidecar.titles.removeAll { $0.position >= scan.frames }
        // One at the very end stays.
        sidecar.gaps.removeAll { $0.position > scan.frames }
        sidecar.splices.removeAll { $0.position >= scan.frames }
        sidecar.foreign.removeAll { $0.position >= scan.frames }
        return sidecar
    }
}
