// SPDX-License-Identifier: MIT

import RadioFormats

/// One file of a recording in a folder, with its sidecar. A value, which keeps no file open.
package struct LibrarySegment: Hashable, Sendable {
    /// The nested folders that lead to the file, from the recordings folder on.
    package var folders: [String]
    /// The name without extension, which audio and sidecar share.
    package var base: String
    /// The audio file; nil if there is only a sidecar.
    package var audio: Audio?
    package var description: Description

    /// An audio file.
    package struct Audio: Hashable, Sendable {
        package var fileExtension: String
        package var bytes: Int64
        /// Whether the file has no final name yet: it grows, or was left behind by a process that died.
        package var isPart: Bool

        package init(fileExtension: String, bytes: Int64, isPart: Bool) {
            self.fileExtension = fileExtension
            self.bytes = bytes
            self.isPart = isPart
        }
    }

    /// How the audio is described.
    package enum Description: Hashable, Sendable {
        case sidecar(Sidecar)
        /// There is no sidecar, or the JSON of that name belongs to another program. The audio can be read.
        case missing
        /// There is a sidecar that cannot be read.
        case damaged(SidecarDamage)
    }

    package init(folders: [String], base: String, audio: Audio?, description: Description) {
        self.folders = folders
        self.base = base
        self.audio = audio
        self.description = description
    }

    package var sidecar: Sidecar? {
        if case .sidecar(let sidecar) = description { sidecar } else { nil }
    }

    /// Whether the segment is not complete. Its audio may have the final name already, while the sidecar lacks the end.
    package var isGrowing: Bool { audio?.isPart == true || sidecar?.state == .growing }

    /// The audio's file name; nil if the audio is gone.
    package var fileName: String? {
        audio.map { "\(base).\($0.fileExtension)\($0.isPart ? ".part" : "")" }
    }

    /// The path of the complete audio below the recordings folder, as neighbours name it.
    package var path: [String] {
        let fileExtension = audio?.fileExtension ?? sidecar?.format.fileType.fileExtension
        return folders + [fileExtension.map { "\(base).\($0)" } ?? base]
    }
}

/// Why a sidecar cannot be read.
package enum SidecarDamage: Hashable, Sendable {
    /// The system refused to read the sidecar, with this `errno`.
    case unreadable(Int32)
    /// The sidecar is longer than any that Aircheck writes.
    case tooLong
    case content(Sidecar.ParseError)
}
