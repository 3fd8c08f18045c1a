// SPDX-License-Identifier: MIT

import Glibc

/// Why a system library cannot be used, from the loader's message (`dlerror(3)`).
package enum LibraryProblem: Hashable, Sendable {
    /// The library is not installed.
    case missing
    /// The library exists, or may exist, but cannot be opened: the cause, and what the user can do.
    case broken(String, remedy: String)

    /// `words` is the loader's message, `file` is the file that could not be opened, and `package` is its Debian
    /// package.
    package init(_ words: String, file: String, package: String) {
        // A missing dependency of the library has the same message, with another name at the front.
        let isMissing = words.hasPrefix("\(file):") && words.hasSuffix(Self.notThere)
        self = isMissing ? .missing : .broken(words, remedy: Self.remedy(words, package))
    }

    private static func remedy(_ words: String, _ package: String) -> String {
        if words.hasSuffix(tooManyOpen) { return "raise the limit of open files (ulimit -n)" }
        let isShort = words.hasSuffix(noMemory) || words.contains("failed to map segment")
        return isShort ? "end other programs, or raise the limit of memory (ulimit -v)" : "reinstall \(package)"
    }

    private static let notThere = "\(SystemError(number: ENOENT))"
    private static let tooManyOpen = "\(SystemError(number: EMFILE))"
    private static let noMemory = "\(SystemError(number: ENOMEM))"
}
