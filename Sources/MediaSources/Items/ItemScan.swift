// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
package import Platform
package import RadioCore
import RadioFormats

/// Finds the items of files, folders and playlists on a thread of its own, because a disk may be slow.
package enum ItemScan {
    /// The items found, in order, and what could not be read.
    package struct Found: Sendable {
        package var items: [QueueItem] = []
        package var skipped: [(item: String, reason: String)] = []
        /// Identifies the list that the sources are; nil unless there is a folder, a playlist or a feed among them.
        package var list: ItemKey?
    }

    /// Scans all sources; an address becomes an item unchecked. Calls `done` on the loop's thread. Raising the returned
    /// flag ends the scan: `done` is then called with what was found so far, as soon as the disk responds.
    package static func start<Object: AnyObject>(
        _ sources: [String], for object: LoopBound<Object>,
        _ done: @escaping @Sendable (Object, Found) -> Void
    ) throws(Failure) -> StopFlag {
        let stop = try MediaThread.stopFlag(which: "looks at files")
        try MediaThread.start("scan", which: "looks at files") {
            let found = Self.found(sources, stop)
            object.tell { done($0, found) }
        }
        return stop
    }

    static func found(_ sources: [String], _ stop: StopFlag) -> Found {
        var found = Found()
        var isList = false
        for source in sources where !stop.isRaised {
            if URLReference(source).isWebAddress {
                found.items.append(QueueItem(address: source))
            } else {
                isList = look(at: source, stop, &found) || isList
            }
        }
        if isList { found.list = ItemKey(list: sources.map(whole)) }
        let leftOut = found.items.count - QueueItem.mostInQueue
        if leftOut > 0 {
            found.items.removeLast(leftOut)
            found.skipped.append(("\(leftOut) more", "a queue has at most \(QueueItem.mostInQueue) items"))
        }
        return found
    }

    /// The path from the root, so that a list is found again from another working directory.
    private static func whole(_ source: String) -> String {
        guard !URLReference(source).isWebAddress, let path = realpath(source.pathBytes, nil) else { return source }
        defer { free(path) }
        return String(path: path)
    }

    /// Adds the items of a path. Returns whether it is a list.
    private static func look(at path: String, _ stop: StopFlag, _ found: inout Found) -> Bool {
        var status = stat()
        // A missing file is an item, which fails when it is played.
        guard stat(path.pathBytes, &status) == 0 else {
            found.items.append(QueueItem(path: path))
            return false
        }
        let items = QueueListing.items(at: path, stop: stop) { found.skipped.append(($0, $1)) }
        found.items += items
        return items.map(\.location) != [.path(path)]
    }
}
