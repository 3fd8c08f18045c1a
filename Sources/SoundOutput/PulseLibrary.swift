// SPDX-License-Identifier: MIT

import CLibPulse

/// libpulse, which is opened when it is first needed.
enum PulseLibrary {
    /// The Debian package that holds it.
    static let package = "libpulse0"

    static func open() throws(SoundError) {
        guard ac_pulse_problem() == nil else { throw .missing(package: package) }
    }

    /// The library's words for one of its errors.
    static func words(for error: CInt) -> String { String(cString: ac_pulse_describe(error)) }
}
