// SPDX-License-Identifier: MIT

extension CatalogStore {
    /// Which files of their recordings these segments are, as ``noteDeleted(_:of:)`` takes them. `paths`: the paths of
    /// ``CatalogUnit``.
    package func files(at paths: [String]) throws(CatalogError) -> [String] {
        var files: [String] = []
        for path in paths {
            try database.run("SELECT file FROM segments WHERE path = ? AND file IS NOT NULL", [.text(path)]) {
                if let file = $0.text(0) { files.append(file) }
            }
        }
        return files
    }

    /// Keeps the names of files of a recording that the daemon has deleted, so that retention leaves their copies
    /// alone.
    package func noteDeleted(_ files: [String], of recording: String) throws(CatalogError) {
        for file in files {
            try database.run(
                "INSERT OR IGNORE INTO deleted_files (recording, file) VALUES (?, ?)", [.text(recording), .text(file)])
        }
    }
}
