// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// Complete files whose sidecars may still be rewritten: when the next file gets its name, or if the last sidecar could
/// not be written. For the writer's thread.
struct FinishedFiles {
    private let system: any FileSystemCalls
    private var files: [FileID: File] = [:]

    private struct File {
        var place: FinishedFile
        let path: String
        var hasSidecar: Bool { place.sidecar == .written }
        /// The newest sidecar, if it is not written yet.
        var pending: [UInt8]?
        /// Keeps recovery from what was found for the file, which this process may put in itself.
        var lock: CompanionLock?
        /// Whether somebody else is changing the file and its companions.
        var isLent = false
        /// Whether no further sidecar will come.
        var isReleased = false
    }

    init(system: any FileSystemCalls) {
        self.system = system
    }

    /// `path`: the path of the audio. `pending`: the last sidecar, if it could not be written.
    mutating func add(
        _ place: FinishedFile, _ id: FileID, path: String, pending: [UInt8]?, in root: RecordingsFolder
    ) {
        var file = File(place: place, path: path, pending: pending)
        if place.grown.keys.contains(.found) {
            try? withBundle(of: file, in: root) { bundle throws(StorageError) in
                file.lock = CompanionLock(.found, of: bundle.base, in: bundle.folder, system)
            }
        }
        files[id] = file
    }

    /// Takes a new sidecar. Returns false if the file is unknown, or has no sidecar.
    mutating func setSidecar(_ bytes: [UInt8], of id: FileID) -> Bool {
        guard let file = files[id], file.place.sidecar != .notKept else { return false }
        files[id]?.pending = bytes
        return true
    }

    /// Leaves the file and its companions to somebody else. Returns false if it is unknown, or its last sidecar is not
    /// on the disk.
    mutating func lend(_ id: FileID) -> Bool {
        guard let file = files[id], file.pending == nil, file.place.sidecar != .missing else { return false }
        files[id]?.isLent = true
        // What else grows with its audio is made anew.
        for companion in Companion.allCases { files[id]?.place.grown.updateValue(nil, forKey: companion) }
        return true
    }

    /// Takes the file back. `checksum`: of the frames, if they have changed; `sidecar`: its new sidecar, if there is
    /// one.
    mutating func takeBack(_ id: FileID, checksum: UInt64?, sidecar: [UInt8]?) {
        files[id]?.isLent = false
        if let checksum { files[id]?.place.facts.checksum = checksum }
        if let sidecar { _ = setSidecar(sidecar, of: id) }
        forgetIfDone(id)
    }

    /// Forgets the file once its last sidecar is written: no further one will come. If its last sidecar could not be
    /// written, writing it is still retried.
    mutating func release(_ id: FileID) {
        files[id]?.isReleased = true
        forgetIfDone(id)
    }

    /// The files with unwritten sidecars.
    var waiting: [FileID] { files.keys.filter { files[$0]?.pending != nil && files[$0]?.isLent == false } }

    /// Writes the pending sidecar. Returns the path of its audio; nil if nothing was written.
    mutating func writeSidecar(of id: FileID, in root: RecordingsFolder) throws(StorageError) -> String? {
        guard let file = files[id], !file.isLent, let bytes = file.pending else { return nil }
        do throws(StorageError) {
            let isWritten = try write(bytes, beside: file, in: root)
            files[id]?.place.sidecar = .written
            files[id]?.pending = nil
            forgetIfDone(id)
            return isWritten ? file.path : nil
        } catch {
            // Do not retry. A name that is taken stays with its present owner. If another folder has replaced ours, the
            // sidecar would describe an unrelated file there.
            if [.nameTaken, .missing].contains(error.code) { files[id]?.pending = nil }
            forgetIfDone(id)
            throw error
        }
    }

    /// Appends to a companion that has grown with its audio, unless it has been made anew meanwhile. Without bytes, the
    /// companion is removed.
    mutating func append(_ bytes: [UInt8], to companion: Companion, of id: FileID, in root: RecordingsFolder) {
        guard let file = files[id], file.hasSidecar, !file.isLent else { return }
        try? withBundle(of: file, in: root) { bundle throws(StorageError) in
            guard !bundle.isGone(.sidecar) else { return }
            if bytes.isEmpty {
                bundle.adopt()
                bundle.drop(companion)
            } else {
                bundle.append(companion, bytes)
            }
            files[id]?.place.grown = bundle.grown
        }
    }

    /// Returns false if there is nothing left to describe.
    private func write(_ bytes: [UInt8], beside file: File, in root: RecordingsFolder) throws(StorageError) -> Bool {
        var isWritten = false
        try withBundle(of: file, in: root) { bundle throws(StorageError) in
            // If the sidecar is gone, somebody has deleted the recording meanwhile.
            guard !bundle.isGone(.sidecar) else { return }
            var facts = file.place.facts
            if file.hasSidecar, let present = bundle.sidecar {
                // Somebody may have protected the recording since the file was finished, or healed it: then this
                // describes another file.
                facts.isProtected = present.isProtected
                let revision = Sidecar(parsing: bytes)?.revision ?? 0
                guard present.revision + (present.healing == nil ? 0 : 1) <= revision else { return }
            }
            try bundle.replace(.sidecar, facts.added(to: bytes), isComplete: true)
            isWritten = true
        }
        return isWritten
    }

    private func withBundle(
        of file: File, in root: RecordingsFolder, _ body: (inout SegmentBundle) throws(StorageError) -> Void
    ) throws(StorageError) {
        let place = file.place
        try root.withBundle(
            place.base, place.fileExtension, in: place.folders, owning: file.hasSidecar ? [.sidecar] : [],
            grown: place.grown
        ) { bundle throws(StorageError) in
            guard let folder = place.folder, (try? system.status(of: bundle.folder))?.isSame(as: folder) == true else {
                throw StorageError(code: .missing, action: .writeSidecar, path: bundle.path(of: .sidecar))
            }
            try body(&bundle)
        }
    }

    private mutating func forgetIfDone(_ id: FileID) {
        if let file = files[id], file.isReleased, !file.isLent, file.pending == nil { files[id] = nil }
    }
}

/// The location of a complete file.
struct FinishedFile: Sendable {
    var folders: [String]
    /// The identity of the folder; nil if it could not be read.
    var folder: FileStatus?
    var base: String
    var fileExtension: String
    var sidecar: SidecarStanding
    var facts: WriterFacts
    /// The lengths of the companions that grew beside the file: see ``SegmentBundle/grown``.
    var grown: [Companion: Int64?]
}

/// The state of a file's sidecar.
enum SidecarStanding: Hashable, Sendable {
    case notKept
    case missing
    case written
}
