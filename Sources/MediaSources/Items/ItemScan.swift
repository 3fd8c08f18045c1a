// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
package import Platform
package import RadioCore
import RadioFormats

/// Finds the items that files, folders and playlists stand for, on a thread of its own: a disk may take its time.
package enum ItemScan {
    /// What was found, in order, and what could not be looked at.
    package struct Found: Sendable {
        package var items: [QueueItem] = []
        package var skipped: [(item: String, reason: String)] = []
        /// Whether any of it is a folder or a playlist.
        package var isList = false
    }

    /// Looks at all sources; addresses are items as they are. `done` is called on the loop. Whoever wants no more raises
    /// the flag that is returned: then `done` is called with what was found so far, as soon as the disk answers.
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
        for source in sources where !stop.isRaised {
            if URLReference(source).isWebAddress {
                found.items.append(QueueItem(address: source))
            } else {
                look(at: source, stop, &found)
            }
        }
        let leftOut = found.items.count - PlayQueue.mostItems
        if leftOut > 0 {
            found.items.removeLast(leftOut)
            found.skipped.append(("\(leftOut) more", "a queue has at most \(PlayQueue.mostItems) items"))
        }
        return found
    }

    private static func look(at path: String, _ stop: StopFlag, _ found: inout Found) {
        var status = stat()
        // What is not there fails when it is played, like any other item.
        guard stat(path, &status) == 0 else { return found.items.append(QueueItem(path: path)) }
        let items = QueueListing.items(of: [path], stop: stop) { found.skipped.append(($0, $1)) }
        found.isList = found.isList || items.map(\.source) != [.path(path)]
        found.items += items
    }
}
