// SPDX-License-Identifier: MIT

import Glibc
package import Storage

extension RecordingExporter {
    /// Exports an excerpt into a file, which it replaces.
    package func export(_ excerpt: Excerpt, toFile path: String) throws(Problem) -> Exported {
        let target = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { Glibc.close(target) }
        return try export(excerpt, to: target)
    }
}
