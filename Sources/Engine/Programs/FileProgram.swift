// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore
import RadioFormats

/// A program that is run for each finished file of a recording. Creating a value looks for the program on the disk.
///
/// The program gets the file's absolute path as its last argument, and a JSON object on its standard input: the path,
/// and the contents of the sidecar. There is no shell, so nothing in a title is ever taken for a command.
package struct FileProgram: Hashable, Sendable {
    /// The absolute path of the program.
    package var path: String
    /// The arguments before the file's path.
    package var arguments: [String]
    /// How long the program may run.
    package var deadline = Self.standardDeadline

    package static let standardDeadline = Duration.seconds(600)

    /// Parses a command line (``CommandWords``), and looks for its program. The program is given by a path or by a
    /// name. A name is looked up in the folders of `searchPath`, or in those of `PATH` if `searchPath` is nil.
    package init(parsing text: String, searchPath: String? = nil) throws(SettingFault) {
        let words = try SettingField.exec.read(text, CommandWords.parse)
        arguments = Array(words.dropFirst())
        let name = words[0]
        guard name.contains("/") else {
            guard let found = ProgramSearch.path(of: name, in: searchPath) else {
                let own = access("./\(name)".pathBytes, X_OK) == 0 ? "; the one in this folder is ./\(name)" : ""
                throw SettingFault(.exec, "there is no program '\(name)' in the folders of PATH\(own)")
            }
            path = found
            return
        }
        path = Self.absolute(name)
        guard access(path.pathBytes, X_OK) == 0 else {
            throw SettingFault(.exec, "\(name) is not a program that can be run: \(SystemError(number: errno))")
        }
        var status = stat()
        guard stat(path.pathBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingFault(.exec, "\(name) is not a program that can be run: it is not a file")
        }
    }

    /// The command for a file.
    func command(for file: String) -> Command {
        var command = Command(path, arguments + [Self.absolute(file)])
        command.environment = Self.environment
        command.output = .captured(limit: ProgramOutcome.mostOutput)
        command.errors = .captured(limit: ProgramOutcome.mostOutput)
        command.deadline = deadline
        return command
    }

    /// The absolute form of a path.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(path: folder))/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
    }

    /// The environment of this process. The program gets the same environment, because the user has started both.
    private static var environment: [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(path: entry)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return result
    }
}
