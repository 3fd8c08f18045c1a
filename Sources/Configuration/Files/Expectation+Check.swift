// SPDX-License-Identifier: MIT

import Glibc
package import RadioCore
import RadioFormats

extension Expectation {
    /// Why this is not as expected; nil if it is. `today`: the present date. The call blocks on the file's disk.
    package func fault(today: CalendarDate) -> ConfigurationFault? {
        let found: (problem: String, remedy: String?)? =
            switch kind {
            case .file(let path): Self.place(path, [S_IFREG], else: "is not a plain file")
            case .item(let path): Self.place(path, [S_IFREG, S_IFDIR], else: "is not a file or a folder")
            case .program(let path): Self.program(path)
            case .folder(of: let path): Self.place(ConfiguredPath.folder(of: path), [S_IFDIR], else: "is not a folder")
            case .folderOrNothing(let path):
                Self.look(at: path) == .missing ? nil : Self.place(path, [S_IFDIR], else: "is not a folder")
            case .broadcast(let show): Self.broadcast(show, today)
            case .diskAboveFloor: nil
            }
        return found.map { ConfigurationFault(at: position, key: key, problem: $0.problem, remedy: $0.remedy) }
    }

    /// `kinds`: the kinds of files that may be at the path. `problem`: what is wrong with any other.
    private static func place(
        _ path: String, _ kinds: [mode_t], else problem: String
    ) -> (problem: String, remedy: String?)? {
        switch look(at: path) {
        case .missing: ("'\(SafeText.path(path))' does not exist", "create it, or correct the path")
        case .found(let mode) where !kinds.contains(mode & S_IFMT): ("'\(SafeText.path(path))' \(problem)", nil)
        case .found, .unknown: nil
        }
    }

    private static func program(_ path: String) -> (problem: String, remedy: String?)? {
        if let fault = place(path, [S_IFREG], else: "is not a program") { return fault }
        guard case .found(let mode) = look(at: path), mode & 0o111 == 0 else { return nil }
        return ("'\(SafeText.path(path))' cannot be run", "make it a program with chmod +x")
    }

    private static func broadcast(_ show: Show, _ today: CalendarDate) -> (problem: String, remedy: String?)? {
        if show.isOnAgain(from: today) { return nil }
        return !show.isOnAgain(from: .first)
            ? ("the show is never on: no date fits its days, from, until and skip", nil)
            : ("the show is over: all of its dates have passed", "leave it out, or give it new dates")
    }

    private enum Look: Equatable {
        case missing
        /// The folder is closed to this user. The daemon may be another user, so the file counts as there.
        case unknown
        case found(mode_t)
    }

    private static func look(at path: String) -> Look {
        var status = stat()
        if stat(path.pathBytes, &status) == 0 { return .found(status.st_mode) }
        return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .missing : .unknown
    }
}
