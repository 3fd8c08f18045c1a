// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore

/// The successive names of a segment's file: a temporary name, `NAME.EXT.part`, `NAME.EXT`; with a number if another
/// segment's files have the name. For the writer's thread; never replaces a file. A copy would miss the next rename.
struct SegmentNames: ~Copyable {
    /// The requested name, without marker, number and extension; shortened if the file system rejects its length.
    private var stem: String
    /// Whether the name has the marker of ``IncompleteName``.
    private var isMarked: Bool
    /// The files of the segment. Their base name is the requested name with its marker and number, if it has any.
    var bundle: SegmentBundle
    /// The file's present name in its folder.
    private var name: String
    private var isTemporary = true
    private let system: any FileSystemCalls

    /// The folder's descriptor must stay open.
    init(
        _ spec: SegmentFileSpec, temporary: TemporaryFile, in folder: CInt, folderPath: String,
        _ system: any FileSystemCalls
    ) {
        stem = spec.name
        isMarked = spec.isMarked
        bundle = SegmentBundle(
            base: spec.isMarked ? IncompleteName.of(spec.name) : spec.name, fileExtension: spec.fileExtension,
            in: folder, folderPath: folderPath, system)
        name = temporary.name
        self.system = system
    }

    private var folder: CInt { bundle.folder }
    private var fileExtension: String { bundle.fileExtension }
    var folderPath: String { bundle.folderPath }

    /// The requested name, without number and extension.
    private var wanted: String { isMarked ? IncompleteName.of(stem) : stem }

    /// The present path as the user knows it; for a temporary file, the path of the future part.
    var path: String { isTemporary ? expectedPath + ".part" : "\(folderPath)/\(name)" }

    /// The path that the file will have, unless another file takes the name first.
    var expectedPath: String { "\(folderPath)/\(bundle.audioName)" }

    /// Makes the file a part under the first free name for which `prepare`, called beforehand with the bundle of that
    /// name, returns true.
    mutating func takePart(_ prepare: (inout SegmentBundle) -> Bool) throws(StorageError) {
        guard stem.isPlainName else {
            throw StorageError(code: .badName, action: .create, path: path)
        }
        do throws(StorageError) {
            try takeFirstPart(prepare)
        } catch {
            let reserve = isMarked ? IncompleteName.marker.utf8.count : 0
            guard error.code == .nameTooLong, let short = stem.shortName(reserve: reserve) else { throw error }
            stem = short
            try takeFirstPart(prepare)
        }
    }

    private mutating func takeFirstPart(_ prepare: (inout SegmentBundle) -> Bool) throws(StorageError) {
        for candidate in NumberedNames(wanted) {
            let part = "\(candidate).\(fileExtension).part"
            do throws(SystemError) {
                if try bundle.isTaken(candidate) { continue }
                bundle.move(to: candidate)
                guard prepare(&bundle) else { continue }
                try system.move(in: folder, name, toFree: part)
            } catch {
                if error.number == EEXIST { continue }
                throw StorageError(error, .create, "\(folderPath)/\(part)")
            }
            name = part
            isTemporary = false
            return
        }
        throw StorageError(code: .nameTaken, action: .create, path: "\(folderPath)/\(wanted)")
    }

    /// Gives a part and its companions their final name, without the marker if the file `isWhole`.
    mutating func takeFinal(isWhole: Bool) throws(StorageError) {
        let losesMarker = isMarked && isWhole
        if losesMarker { isMarked = false }
        let names = losesMarker ? NumberedNames(stem) : NumberedNames(wanted, startingAt: bundle.base)
        do throws(SystemError) {
            try bundle.takeName(name, names)
        } catch {
            throw StorageError(error, .rename, path)
        }
        name = bundle.audioName
    }

    /// Updates the path: the folder may have been moved, with the file still in it. For an unmounted folder the kernel
    /// reports a path relative to that file system's root, so the old path is kept.
    mutating func locate() {
        guard let own = try? system.status(of: folder), !leads(folderPath, to: own) else { return }
        if let path = try? system.path(of: folder), leads(path, to: own) { bundle.folderPath = path }
    }

    /// Takes over the name that somebody has given to the growing file, for the companions as well. A part keeps it for
    /// good. Throws if the file is no longer in its folder.
    mutating func follow(_ descriptor: CInt, _ file: FileStatus) throws(StorageError) {
        let isHere = { [system, folder] (name: String) in
            (try? system.status(in: folder, name: name))?.isSame(as: file) ?? false
        }
        guard !isTemporary, !isHere(name) else { return }
        let found = (try? system.path(of: descriptor)).flatMap { $0.split(separator: "/").last.map(String.init) }
        guard let found, isHere(found) else {
            // Some file systems do not identify a file by its name.
            if (try? system.exists(in: folder, name: name)) != false { return }
            throw StorageError(code: .moved, action: .rename, path: path)
        }
        name = found
        switch RecordedName(found) {
        case .part(let new, fileExtension), .audio(let new, fileExtension):
            bundle.move(to: new)
            let song = isMarked ? IncompleteName.whole(of: new) : nil
            (stem, isMarked) = (song ?? new, song != nil)
        default: break
        }
    }

    private func leads(_ path: String, to own: FileStatus) -> Bool {
        guard let there = try? system.openFolder(path: path, followsLink: true) else { return false }
        defer { system.close(there) }
        return (try? system.status(of: there))?.isSame(as: own) ?? false
    }

    /// Makes a part a temporary file again, before its removal.
    mutating func takeTemporary() {
        guard !isTemporary, let new = try? TemporaryFile.rename(name, in: folder, system) else { return }
        name = new
        isTemporary = true
    }

    /// Removes the file.
    func remove() {
        try? system.remove(in: folder, name: name)
    }
}
