// SPDX-License-Identifier: MIT

import Platform
package import RadioCore

/// A place in a library: a file that a walk has reached, whether or not the file still exists.
package struct LibraryPlace: Hashable, Sendable {
    /// Folders below the recordings folder.
    package var folders: [String]
    package var name: String
}

/// Walks through a library one segment at a time: in the order of names, the newest first, and a folder before its
/// subfolders.
///
/// It holds one open folder and a limited number of names; it reads a folder with more names several times. Files that
/// are added during the walk may be missed, and files that are renamed may come twice. Its calls block. Confined to one
/// thread.
package final class LibraryWalk: Sequence, IteratorProtocol {
    private let system: any FileSystemCalls
    private let namesAtOnce: Int
    private var folders: FolderWalk
    private var folder: FolderWalk.Folder?
    private var names: [String] = []
    /// If the folder has more names than are held at once, the next names to list are the newest before this one.
    private var namesBefore: String?
    private var start: LibraryPlace?
    /// The file that was examined last; nil before the first one.
    package private(set) var place: LibraryPlace?

    init(_ folders: FolderWalk, after start: LibraryPlace?, namesAtOnce: Int, _ system: any FileSystemCalls) {
        self.folders = folders
        self.start = start
        self.namesAtOnce = namesAtOnce
        self.system = system
    }

    deinit {
        if let folder { system.close(folder.descriptor) }
    }

    package func next() -> LibrarySegment? {
        while true {
            while let name = names.popLast(), let folder {
                place = LibraryPlace(folders: folder.parts, name: name)
                guard let recorded = RecordedName(name) else { continue }
                let reader = SegmentReader(system: system)
                if let segment = reader.segment(named: recorded, in: folder.descriptor, folder.parts) { return segment }
            }
            if let namesBefore {
                listNames(before: namesBefore)
            } else if !openNext() {
                return nil
            }
        }
    }

    private func openNext() -> Bool {
        if let folder { system.close(folder.descriptor) }
        var newest = NewestNames(limit: namesAtOnce)
        folder = folders.next { if RecordedName($0) != nil { newest.add($0) } }
        guard let folder else { return false }
        guard let start else {
            (names, namesBefore) = newest.take()
            return true
        }
        if folder.parts == start.folders {
            self.start = nil
            listNames(before: start.name)
        } else if FolderWalk.comes(start.folders, before: folder.parts) {
            self.start = nil
            (names, namesBefore) = newest.take()
        }
        // In all other cases this folder comes before the folder of the start place, so it was walked already.
        return true
    }

    private func listNames(before end: String) {
        guard let folder else { return }
        var newest = NewestNames(limit: namesAtOnce, before: end)
        _ = try? system.names(in: folder.descriptor) { entry in
            if RecordedName(entry.name) != nil { newest.add(entry.name) }
            return false
        }
        (names, namesBefore) = newest.take()
    }
}
