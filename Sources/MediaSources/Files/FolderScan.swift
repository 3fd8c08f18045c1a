// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// The files of a folder and its subfolders, in natural order. The initializer blocks, so call it off the loop's
/// thread.
///
/// It leaves out hidden names, what usually lies beside music (pictures, texts, playlists), and everything that is
/// neither file nor folder. It follows links, and reads each folder once.
struct FolderScan {
    struct File: Equatable {
        var path: String
        /// The path, relative to the scanned folder.
        var name: String
    }

    private(set) var files: [File] = []
    /// What could not be read, and why. Names are relative to the scanned folder.
    private(set) var skipped: [(name: String, reason: String)] = []

    /// Whether the limit was reached, so that there may be more files.
    private(set) var isFull = false

    private var seen: Set<FolderKey> = []
    private var entriesLeft = mostEntries
    private let stop: StopFlag?

    private struct FolderKey: Hashable {
        var device: UInt64
        var number: UInt64
    }

    static let mostFiles = 100_000
    static let deepest = 32
    /// The limit for the names that are looked at, whether of files or of anything else.
    private static let mostEntries = 1_000_000

    private static let passedOver = Set<Substring>([
        "asx", "bmp", "cue", "db", "gif", "html", "ini", "jpeg", "jpg", "log", "lrc", "m3u", "m3u8", "md5", "nfo",
        "pdf", "pls", "png", "sfv", "webp", "xspf",
    ]).union(Companion.allCases.map { $0.rawValue[...] })

    /// Scans a folder, until `stop` is raised.
    init(_ path: String, stop: StopFlag? = nil) {
        self.stop = stop
        look(into: path, as: "", depth: 0)
    }

    private mutating func look(into path: String, as prefix: String, depth: Int) {
        guard depth <= Self.deepest, stop?.isRaised != true else { return }
        let names: [String]
        do throws(SystemError) {
            let folder = Descriptor(owning: try systemCall { open(path.pathBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
            guard isNew(folder.number) else { return }
            let most = entriesLeft
            var count = 0
            // The descriptor is closed when `folder` is released, which must not happen earlier.
            names = try withExtendedLifetime(folder) { () throws(SystemError) in
                try FolderEntry.list(folder.number) { entry in
                    count += 1
                    return count <= most && !entry.name.hasPrefix(".")
                }.map(\.name)
            }
            entriesLeft -= min(count, most)
        } catch {
            skipped.append((prefix.isEmpty ? path : String(prefix.dropLast()), "the folder cannot be read"))
            return
        }
        for name in NaturalOrder.sorted(names) {
            guard stop?.isRaised != true else { return }
            guard files.count < Self.mostFiles else {
                isFull = true
                return
            }
            var status = stat()
            guard stat("\(path)/\(name)".pathBytes, &status) == 0 else {
                if let reason = Self.reason(errno, name) { skipped.append((prefix + name, reason)) }
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: look(into: "\(path)/\(name)", as: "\(prefix)\(name)/", depth: depth + 1)
            case S_IFREG where !Self.isPassedOver(name):
                files.append(File(path: "\(path)/\(name)", name: prefix + name))
            default: break
            }
        }
    }

    /// Why an entry cannot be read. Nil if nothing is to be reported: the entry is a companion file, or does not exist,
    /// as with a broken link.
    private static func reason(_ number: CInt, _ name: String) -> String? {
        switch number {
        case _ where isPassedOver(name): nil
        case ENOENT, ELOOP: nil
        default: String(cString: strerror(number)).lowercased()
        }
    }

    private mutating func isNew(_ folder: CInt) -> Bool {
        var status = stat()
        guard fstat(folder, &status) == 0 else { return false }
        return seen.insert(FolderKey(device: UInt64(status.st_dev), number: UInt64(status.st_ino))).inserted
    }

    private static func isPassedOver(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return passedOver.contains(name[name.index(after: dot)...].lowercased()[...])
    }
}
