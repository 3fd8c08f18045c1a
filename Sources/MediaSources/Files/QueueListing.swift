// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Lists a file, folder or playlist on disk as items of a queue. Blocks, so it needs a thread of its own.
enum QueueListing {
    /// The items in order. Another call makes the same keys as long as a file keeps its name and size. Calls `skip`
    /// with the reason for anything that cannot be an item.
    static func items(
        at path: String, stop: StopFlag? = nil, _ skip: (_ name: String, _ reason: String) -> Void
    ) -> [QueueItem] {
        var status = stat()
        guard stat(path.pathBytes, &status) == 0 else {
            skip(path, "\(SystemError(number: errno))".lowercased())
            return []
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let scan = FolderScan(path, stop: stop)
            for (name, reason) in scan.skipped { skip(name, reason) }
            if scan.isFull { skip("the rest of \(path)", "a folder has at most \(FolderScan.mostFiles) items") }
            return whileWanted(scan.files, stop) { file($0.path) }
        case S_IFREG:
            if let items = items(ofFeed: path, skip) { return items }
            guard let list = PlaylistFile(path) else { return [file(path)] }
            if list.leftOut > 0 { skip("\(list.leftOut) more", "a list has at most \(FilePlaylist.mostEntries) items") }
            if list.isCutOff { skip("the rest of \(path)", "only the first 16 MiB of a list are read") }
            return whileWanted(list.entries, stop) { item($0, of: list, skip) }
        default:
            skip(path, "it is neither a file nor a folder")
            return []
        }
    }

    /// Nil if the file is not a podcast's feed, which its first bytes decide.
    private static func items(ofFeed path: String, _ skip: (String, String) -> Void) -> [QueueItem]? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let head = FileReader.beginning(of: path, atMost: StreamRecognizer.limit),
            head.withUnsafeBytes({ recognizer.guess($0, isComplete: true).isFeed }),
            let bytes = FileReader.beginning(of: path, atMost: FeedParser.longestBody + 1)
        else { return nil }
        do throws(FeedError) {
            let feed = try FeedParser.feed(in: bytes, from: path)
            if feed.leftOut > 0 { skip("\(feed.leftOut) more", "a feed has at most \(feed.items.count) items") }
            if let warning = feed.warning { skip("the rest of \(path)", warning) }
            if feed.items.isEmpty { skip(path, "it contains no web address of audio") }
            return feed.queueItems(from: path)
        } catch {
            skip(path, error.failure.message)
            return []
        }
    }

    /// Makes items until `stop` is raised, because each item costs several file system calls.
    private static func whileWanted<Name>(
        _ names: [Name], _ stop: StopFlag?, _ item: (Name) -> QueueItem?
    ) -> [QueueItem] {
        names.compactMap { name in stop?.isRaised == true ? nil : item(name) }
    }

    private static func item(
        _ entry: FilePlaylist.Entry, of list: PlaylistFile, _ skip: (String, String) -> Void
    ) -> QueueItem? {
        guard let item = QueueItem(entry, folder: list.folder) else {
            if case .address(let address) = entry.location {
                skip(AddressText(address).redacted, "only http and https can be played")
            }
            return nil
        }
        guard case .path(let place) = entry.location else { return item }
        let path = list.path(of: place)
        guard !PlaylistFile.isMissing(path) else {
            skip(path, "there is no such file")
            return nil
        }
        return file(path, title: item.title, length: item.length)
    }

    private static func file(_ path: String, title: String? = nil, length: Duration? = nil) -> QueueItem {
        var status = stat()
        let size = stat(path.pathBytes, &status) == 0 ? Int64(status.st_size) : nil
        var item = QueueItem(path: path, size: size, title: title, length: length)
        item.name = FileTitle.title(ofFile: path)
        // The key is the absolute path, so that it does not depend on the working directory.
        if let whole = realpath(path.pathBytes, nil) {
            item.key = ItemKey(path: String(path: whole), size: size)
            free(whole)
        }
        return item
    }
}
