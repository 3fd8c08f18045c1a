// SPDX-License-Identifier: MIT

import CLibPulse
import Platform

/// libpulse, which is opened when it is first needed.
enum PulseLibrary {
    /// The Debian package that contains the library.
    static let package = "libpulse0"
    private static let file = "libpulse.so.0"

    static func open() throws(SoundError) {
        let problem = ac_pulse_problem().map { LibraryProblem(String(cString: $0), file: file, package: package) }
        switch problem {
        case nil: break
        case .missing: throw .missing(package: package)
        case .broken(let words, let remedy): throw .unusable(words, remedy: remedy)
        }
    }

    /// The library's description of one of its errors.
    static func words(for error: CInt) -> String { String(cString: ac_pulse_describe(error)) }
}
