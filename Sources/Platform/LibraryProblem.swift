// SPDX-License-Identifier: MIT

import Glibc

/// Why a library of the system cannot be used, from the words of the loader (`dlerror(3)`). A value.
package enum LibraryProblem: Hashable, Sendable {
    /// It is not on this machine.
    case missing
    /// It is, or may be, and cannot be opened: why, and what helps.
    case broken(String, remedy: String)

    /// `file` is what was to be opened, of this package of Debian.
    package init(_ words: String, file: String, package: String) {
        // Of what the library needs itself the words are the same, with another name in front.
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
