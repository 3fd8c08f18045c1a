// SPDX-License-Identifier: MIT

import RadioCore

/// The folders in which recordings may lie: the recordings folder and all below it that a name template may have made,
/// whatever the template is now. A folder comes before those in it, and of two the one with the later name.
///
/// A value of one thread. Only one folder is open at a time, and it is the caller's to close.
struct FolderWalk {
    private var root: RecordingsFolder
    private let system: any FileSystemCalls
    private let depth: Int
    /// Folders that are still to be looked into, the next one last, and how many more at the most.
    private var waiting: [[String]] = [[]]
    private var left = mostFolders

    struct Folder {
        var descriptor: CInt
        /// Below the recordings folder.
        var parts: [String]
        /// As the user knows it.
        var path: String
    }

    /// `depth` is how many nested folders names have now: down to there, disks that are mounted below are looked into
    /// as well.
    init(root: RecordingsFolder, system: any FileSystemCalls, depth: Int) {
        self.root = root
        self.system = system
        self.depth = depth
    }

    /// Opens the next folder that can be opened, and tells of all names in it; nil at the end.
    mutating func next(_ take: (String) -> Void) -> Folder? {
        while left > 0, let parts = waiting.popLast() {
            left -= 1
            guard let descriptor = try? root.openExisting(parts) else { continue }
            let hasFolders = parts.count < Self.mostDepth
            let below = try? system.names(in: descriptor) { entry in
                take(entry.name)
                return hasFolders && entry.mayBeFolder && !entry.name.hasPrefix(".")
            }
            let device = try? system.status(of: descriptor).device
            for entry in (below ?? []).sorted(by: { $0.name < $1.name }) where waiting.count < Self.mostFolders {
                // Somebody else's disk may not answer, and nothing of ours is there.
                let isHere = parts.count < depth || (try? system.device(in: descriptor, name: entry.name)) == device
                if isHere { waiting.append(parts + [entry.name]) }
            }
            return Folder(
                descriptor: descriptor, parts: parts, path: ([root.path] + parts).joined(separator: "/"))
        }
        return nil
    }

    /// Whether the walk comes to one folder before the other.
    static func comes(_ folder: [String], before other: [String]) -> Bool {
        for (part, otherPart) in zip(folder, other) where part != otherPart { return part > otherPart }
        return folder.count < other.count
    }

    /// As deep as names can go, and as many as are worth the time: the folder may be somebody's home.
    private static let mostDepth = NameTemplate.maxComponents - 1
    private static let mostFolders = 10_000
}
