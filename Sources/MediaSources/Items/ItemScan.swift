// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
import Platform
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

    /// Looks at all sources; addresses are items as they are. `done` is called on the loop.
    package static func start<Object: AnyObject>(
        _ sources: [String], for object: LoopBound<Object>,
        _ done: @escaping @Sendable (Object, Found) -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            let stop = try StopFlag()
            try WorkerThread.start(name: "scan") {
                let found = Self.found(sources, stop)
                object.tell { done($0, found) }
            }
        } catch {
            throw Failure(
                .internal, "the thread that looks at files could not be started: \(error)",
                remedy: "end other programs, or raise the limit of open files (ulimit -n)")
        }
    }

    static func found(_ sources: [String], _ stop: StopFlag) -> Found {
        var found = Found()
        for source in sources {
            guard found.items.count < PlayQueue.mostItems else { break }
            if URLReference(source).isWebAddress {
                found.items.append(QueueItem(address: source))
            } else {
                look(at: source, stop, &found)
            }
        }
        return found
    }

    private static func look(at path: String, _ stop: StopFlag, _ found: inout Found) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            found.items.append(QueueItem(path: path))
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            found.isList = true
            let scan = FolderScan(path, stop: stop)
            found.skipped += scan.skipped.map { ($0.name, $0.reason) }
            found.items += scan.files.map { item(ofFile: $0.path) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG, let playlist = PlaylistFile(path) else {
            found.items.append(item(ofFile: path))
            return
        }
        found.isList = true
        for entry in playlist.entries {
            guard var item = QueueItem(entry, folder: playlist.folder) else { continue }
            if case .path(let path) = item.source {
                let known = Self.item(ofFile: path)
                item.key = known.key
                item.title = item.title ?? known.title
            }
            found.items.append(item)
        }
    }

    /// The key of a file is its whole path, wherever it is named from.
    private static func item(ofFile path: String) -> QueueItem {
        var status = stat()
        let size = stat(path, &status) == 0 ? Int64(status.st_size) : nil
        var item = QueueItem(path: path, size: size, title: FileTitle.title(ofFile: path))
        if let whole = realpath(path, nil) {
            item.key = ItemKey(path: String(cString: whole), size: size)
            free(whole)
        }
        return item
    }
}
