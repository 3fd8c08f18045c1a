// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioFormats

/// Reads the configuration file of `aircheck serve`.
///
/// Its calls block on the file, and on the files of users and passwords that it names.
package enum ConfigurationFile {
    /// Reads the file at `path`. Relative paths in it are relative to its folder.
    package static func read(
        _ path: String, _ context: ConfigurationContext
    ) -> Result<Configuration, ConfigurationError> {
        do throws(FileFault) {
            return parse(try bytes(of: path), folder: ConfiguredPath.folder(of: try absolute(path)), context)
        } catch {
            return .failure(.unreadable(error))
        }
    }

    /// The bytes of the file at `path`, unparsed.
    package static func bytes(of path: String) throws(FileFault) -> [UInt8] {
        try SmallFile.read(path, limit: TOMLDocument.largest)
    }

    /// Parses the bytes of a file in this folder, which is an absolute path. Reports all faults at once, except that a
    /// syntax error hides the others.
    package static func parse(
        _ bytes: [UInt8], folder: String, _ context: ConfigurationContext
    ) -> Result<Configuration, ConfigurationError> {
        let faults = FaultList()
        do throws(TOMLDocument.SyntaxError) {
            let table = try TOMLDocument.parse(bytes)
            let top = TableReader(table: table, section: .root, path: "", position: .start, faults: faults)
            var configuration = ConfigurationReader(folder: folder, context: context).read(top)
            configuration.notes = ConfigurationNotes(doubts: faults.doubts, expectations: faults.expectations)
            return faults.isEmpty ? .success(configuration) : .failure(.invalid(faults.sorted))
        } catch {
            let fault = ConfigurationFault(at: error.position, key: "", problem: error.problem)
            return .failure(.invalid([fault]))
        }
    }

    private static func absolute(_ path: String) throws(FileFault) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let folder = getcwd(nil, 0) else {
            throw FileFault(path: path, reason: .other(SystemError(number: errno)))
        }
        defer { free(folder) }
        return "\(String(path: folder))/\(path)"
    }
}
