// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore
import RadioFormats

/// The recordings in a folder and below it, as their sidecars describe them. Catalog, retention, feeds and pages are
/// based on it.
///
/// It keeps nothing in memory and changes nothing. It reaches every file through the descriptor of an open folder, does
/// not follow links, and ignores files that are not recordings. All calls block, so they need a thread that may block.
package struct Library: Sendable {
    let path: String
    private let depth: Int
    let system: any FileSystemCalls

    /// `path` is the folder as the user gave it. `depth` is how many nested folders the present name template uses:
    /// down to that depth, disks mounted inside the folder belong to the library.
    package init(path: String, depth: Int = 0, system: any FileSystemCalls = LinuxFileSystem()) {
        self.path = path
        self.depth = depth
        self.system = system
    }

    /// Walks all segments, or the segments after a place, and holds at most `namesAtOnce` names. Throws if the folder
    /// cannot be opened.
    package func walk(
        after place: LibraryPlace? = nil, namesAtOnce: Int = 10_000
    ) throws(StorageError) -> LibraryWalk {
        let root = RecordingsFolder(path: path, system: system)
        do throws(SystemError) {
            system.close(try root.openExisting([]))
        } catch {
            throw StorageError(error, .openFolder, path)
        }
        return LibraryWalk(
            FolderWalk(root: root, system: system, depth: depth), after: place, namesAtOnce: namesAtOnce, system)
    }

    /// Returns at most `count` segments, and the place after which the next page begins; nil at the end.
    package func page(
        after place: LibraryPlace? = nil, atMost count: Int
    ) throws(StorageError) -> (segments: [LibrarySegment], next: LibraryPlace?) {
        let walk = try walk(after: place, namesAtOnce: max(1_000, 2 * count))
        var segments: [LibrarySegment] = []
        while segments.count < count {
            guard let segment = walk.next() else { return (segments, nil) }
            segments.append(segment)
        }
        return (segments, walk.place)
    }

    /// The segment whose audio is, or was, at a path below the recordings folder; nil if there is none.
    package func segment(at path: [String]) -> LibrarySegment? {
        guard let file = path.last, let name = RecordedName(file),
            path.allSatisfy(\.isPlainName)
        else { return nil }
        let folders = Array(path.dropLast())
        return try? inFolder(folders) { folder throws(SystemError) -> LibrarySegment? in
            let reader = SegmentReader(system: system)
            if let segment = reader.segment(named: name, in: folder, folders) { return segment }
            guard case .audio(let base, _) = name else { return nil }
            return reader.segment(named: .sidecar(base: base), in: folder, folders)
        }
    }

    /// Whether the audio of a segment exists. `path`: its path below the recordings folder, without extension. Throws
    /// if the segment's folder cannot be examined, for example because its disk is not mounted.
    package func hasAudio(at path: String) throws(SystemError) -> Bool {
        let (folders, base) = path.bundleName
        guard (folders + [base]).allSatisfy(\.isPlainName) else { return false }
        return try inFolder(folders) { folder throws(SystemError) -> Bool in
            let names = RecordedName.ofAudio(base: base, fileExtensions: FileType.all.map(\.fileExtension))
            for (name, _, _) in names {
                if try system.exists(in: folder, name: name) { return true }
            }
            return false
        }
    }

    /// The recording of a segment: the segment itself and the segments linked to it, at most `limit` in each direction.
    package func recording(of segment: LibrarySegment, limit: Int = 10_000) -> LibraryRecording {
        let id = segment.sidecar?.recording
        var segments = [segment]
        var seen: Set = [segment.path]
        for link in [\Sidecar.previous, \Sidecar.next] {
            var place = segment
            for _ in 0..<limit {
                let path = LibraryRecording.path(of: place.sidecar?[keyPath: link], from: place.folders)
                guard id != nil, let path, seen.insert(path).inserted, let found = self.segment(at: path),
                    found.sidecar?.recording == id
                else { break }
                segments.append(found)
                place = found
            }
        }
        return LibraryRecording(id: id, segments: segments)
    }

    /// Changes the sidecar of a complete file, and returns the segment as it is now. Throws if the sidecar cannot be
    /// written; it is then as it was.
    package func change(
        _ segment: LibrarySegment, _ body: (inout Sidecar) -> Void
    ) throws(StorageError) -> LibrarySegment {
        guard var sidecar = segment.sidecar else { return segment }
        body(&sidecar)
        try withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            _ = try bundle.write(.sidecar, sidecar.encoded, isComplete: true)
        }
        var changed = segment
        changed.description = .sidecar(sidecar)
        return changed
    }

    /// Calls `body` with the files of a segment, which owns its sidecar unless it has none yet.
    func withBundle(
        of segment: LibrarySegment, _ sidecar: Sidecar, _ body: (inout SegmentBundle) throws(StorageError) -> Void
    ) throws(StorageError) {
        try RecordingsFolder(path: path, system: system).withBundle(
            segment.base, sidecar.format.fileType.fileExtension, in: segment.folders,
            owning: segment.description == .missing ? [] : [.sidecar], body)
    }

    // MARK: Audio

    /// Describes a segment that has no sidecar, or a damaged one, by reading its audio; nil if there is no frame in it.
    package func describe(_ segment: LibrarySegment) throws(StorageError) -> Sidecar? {
        try scan(segment)?.sidecar(state: segment.isGrowing ? .growing : .complete)
    }

    /// Reads all of a segment's audio; nil if there is none.
    package func check(_ segment: LibrarySegment) throws(StorageError) -> SegmentCheck? {
        try scan(segment)?.check
    }

    /// Returns a growing segment with the present totals of its file, because the sidecar may be ten minutes old, and a
    /// segment that no sidecar describes with a description of its audio. Reads what the sidecar does not count yet.
    package func measured(_ segment: LibrarySegment) throws(StorageError) -> LibrarySegment {
        if segment.sidecar == nil, let described = try describe(segment) {
            var measured = segment
            measured.description = .sidecar(described)
            return measured
        }
        guard segment.isGrowing, var sidecar = segment.sidecar else { return segment }
        do throws(SystemError) {
            let file = try frames(of: segment, from: sidecar.frames)
            while let found = try file?.next(from: sidecar.frames) {
                sidecar.frames = found.end
                sidecar.bytes += Int64(found.bytes.count)
                let samples = (0..<found.batch.count).reduce(Int64(0)) { $0 + Int64(found.batch[$1].samples) }
                sidecar.samples = sidecar.samples.addingSaturated(samples)
            }
        } catch {
            throw StorageError(error, .read, ([path] + segment.path).joined(separator: "/"))
        }
        var measured = segment
        measured.description = .sidecar(sidecar)
        return measured
    }

    /// The frames of a segment's audio from a frame on; nil if it is unknown what they are.
    package func frames(of segment: LibrarySegment, from first: Int64 = 0) throws(SystemError) -> FrameFile? {
        guard let audio = segment.audio, let container = segment.sidecar?.format.container else { return nil }
        let name = "\(segment.base).\(audio.fileExtension)"
        return try FrameFile(
            path: ([path] + segment.folders + [name]).joined(separator: "/"), container: container, from: first,
            system: system)
    }

    /// Reads all of a segment's audio; nil if there is none.
    func scan(_ segment: LibrarySegment) throws(StorageError) -> AudioScan? {
        guard let audio = segment.audio, let name = segment.fileName else { return nil }
        do throws(SystemError) {
            return try withAudio(of: segment) { _, file throws(SystemError) in
                try AudioScan.of(file, fileExtension: audio.fileExtension, system)
            }
        } catch {
            throw StorageError(error, .read, ([path] + segment.folders + [name]).joined(separator: "/"))
        }
    }

    /// Calls `body` with a segment's folder and its audio, opened. Throws `ENOENT` if the audio is gone.
    func withAudio<Result>(
        of segment: LibrarySegment, _ body: (_ folder: CInt, _ file: CInt) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try inFolder(segment.folders) { folder throws(SystemError) in
            guard let name = segment.fileName else { throw SystemError(number: ENOENT) }
            let file = try system.openToRead(in: folder, name: name)
            defer { system.close(file) }
            return try body(folder, file)
        }
    }

    /// Calls `body` with one of the library's folders, opened.
    func inFolder<Result>(
        _ folders: [String], _ body: (CInt) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let root = RecordingsFolder(path: path, system: system)
        let folder = try root.openExisting(folders)
        defer { system.close(folder) }
        return try body(folder)
    }
}
