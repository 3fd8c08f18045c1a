// SPDX-License-Identifier: MIT

import Platform
import RadioCore

/// Walks the folders that may contain recordings: the recordings folder, and all folders below it that any name
/// template may have created. Visits a folder before those inside it, and siblings with later names first.
///
/// A value for use on a single thread. Only one folder is open at a time; the caller must close it.
struct FolderWalk {
    private let root: RecordingsFolder
    private let system: any FileSystemCalls
    private let depth: Int
    /// The folders still to be visited, the next one last, and how many more may be visited.
    private var waiting: [[String]] = [[]]
    private var left = mostFolders
    /// The folders that could not be opened, such as those of another daemon.
    private(set) var unopened: [[String]] = []

    struct Folder {
        var descriptor: CInt
        /// The path components below the recordings folder.
        var parts: [String]
        /// The path as the user knows it.
        var path: String
    }

    /// `depth`: how many nested folders the present name template uses. Down to this depth, the walk also enters disks
    /// that are mounted inside the root.
    init(root: RecordingsFolder, system: any FileSystemCalls, depth: Int) {
        self.root = root
        self.system = system
        self.depth = depth
    }

    /// Opens the next folder that can be opened, and calls `take` with each name in it. Returns nil at the end.
    mutating func next(_ take: (String) -> Void) -> Folder? {
        while left > 0, let parts = waiting.popLast() {
            left -= 1
            guard let descriptor = try? root.openExisting(parts) else {
                unopened.append(parts)
                continue
            }
            let hasFolders = parts.count < Self.mostDepth
            let below = try? system.names(in: descriptor) { entry in
                take(entry.name)
                return hasFolders && entry.mayBeFolder && !entry.name.hasPrefix(".")
            }
            let device = try? system.status(of: descriptor).device
            for entry in (below ?? []).sorted(by: { $0.name < $1.name }) where waiting.count < Self.mostFolders {
                // A folder on another disk may not respond, and contains no recordings of ours.
                let isHere = parts.count < depth || (try? system.device(in: descriptor, name: entry.name)) == device
                if isHere { waiting.append(parts + [entry.name]) }
            }
            return Folder(
                descriptor: descriptor, parts: parts, path: ([root.path] + parts).joined(separator: "/"))
        }
        return nil
    }

    /// Whether the walk visits `folder` before `other`.
    static func comes(_ folder: [String], before other: [String]) -> Bool {
        for (part, otherPart) in zip(folder, other) where part != otherPart { return part > otherPart }
        return folder.count < other.count
    }

    /// The maximum depth of names, and the maximum number of folders. The number of folders bounds the time of a walk,
    /// because the root may be a user's home.
    private static let mostDepth = NameTemplate.maxComponents - 1
    private static let mostFolders = 10_000
}
