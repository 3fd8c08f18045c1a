// SPDX-License-Identifier: MIT

import CLibFLAC
import CLibMPG123
import CLibOpus
import CLibVorbis
import Platform

/// A decoding library of the system, opened when it is first needed.
enum CodecLibrary: CaseIterable {
    case mpg123, opus, vorbis, flac

    /// Opens the library. Throws ``DecodingError/missing(name:package:)`` if it is not on this machine, or
    /// ``DecodingError/broken(_:remedy:)`` if it cannot be used.
    func require() throws(DecodingError) {
        switch problem.map({ LibraryProblem($0, file: name, package: package) }) {
        case nil: break
        case .missing: throw .missing(name: name, package: package)
        case .broken(let words, let remedy): throw .broken(words, remedy: remedy)
        }
    }

    /// Why the library cannot be used; nil if it can.
    var problem: String? {
        switch self {
        case .mpg123: ac_mpg123_problem().map { String(cString: $0) }
        case .opus: ac_opus_problem().map { String(cString: $0) }
        case .vorbis: ac_vorbis_problem().map { String(cString: $0) }
        case .flac: ac_flac_problem().map { String(cString: $0) }
        }
    }

    /// The library's file name.
    var name: String {
        switch self {
        case .mpg123: String(cString: ac_mpg123_library)
        case .opus: String(cString: ac_opus_library)
        case .vorbis: String(cString: ac_vorbis_library)
        case .flac: String(cString: ac_flac_library)
        }
    }

    /// The library's Debian package.
    var package: String {
        switch self {
        case .mpg123: "libmpg123-0"
        case .opus: "libopus0"
        case .vorbis: "libvorbis0a"
        // The Debian package is named after the library's ABI version, as the file is.
        case .flac: "libflac" + (name.split(separator: ".").last ?? "")
        }
    }
}
