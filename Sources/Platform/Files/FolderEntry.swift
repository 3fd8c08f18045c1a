// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// A name in a folder.
package struct FolderEntry: Hashable, Sendable {
    package var name: String
    /// Whether the entry is a folder, or may be a folder because the file system does not report types.
    package var mayBeFolder: Bool

    package init(name: String, mayBeFolder: Bool) {
        self.name = name
        self.mayBeFolder = mayBeFolder
    }

    /// Lists those entries of an open folder for which `isWanted` is true, without `.` and `..`, in no particular order
    /// (readdir(3)). The folder's read position does not change.
    package static func list(
        _ folder: CInt, where isWanted: (FolderEntry) -> Bool
    ) throws(SystemError) -> [FolderEntry] {
        // The folder is opened again, because `closedir` closes the descriptor of its stream, and a descriptor from
        // `dup` would share the read position.
        let own = try systemCall { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(own) else {
            let error = SystemError(number: errno)
            close(own)
            throw error
        }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                PathText.text(of: Array($0.prefix { $0 != 0 }))
            }
            guard name != ".", name != ".." else { continue }
            let type = Int(entry.pointee.d_type)
            let found = FolderEntry(name: name, mayBeFolder: type == Int(DT_DIR) || type == Int(DT_UNKNOWN))
            if isWanted(found) { entries.append(found) }
        }
        return entries
    }
}
