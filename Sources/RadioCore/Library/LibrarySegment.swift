// SPDX-License-Identifier: MIT

import RadioFormats

/// One file of a recording as it lies in a folder, with what its sidecar says. A value; nothing is open.
package struct LibrarySegment: Hashable, Sendable {
    /// Folders below the recordings folder.
    package var folders: [String]
    /// The name without extension, which audio and sidecar have in common.
    package var base: String
    /// Nil where there is a sidecar and nothing beside it.
    package var audio: Audio?
    package var description: Description

    /// An audio file.
    package struct Audio: Hashable, Sendable {
        package var fileExtension: String
        package var bytes: Int64
        /// Whether it has no final name yet: it grows, or was left behind by a process that died.
        package var isPart: Bool

        package init(fileExtension: String, bytes: Int64, isPart: Bool) {
            self.fileExtension = fileExtension
            self.bytes = bytes
            self.isPart = isPart
        }
    }

    /// What is known of the audio.
    package enum Description: Hashable, Sendable {
        case sidecar(Sidecar)
        /// There is no sidecar, or the JSON of that name is somebody else's. Its audio can be read.
        case missing
        /// There is one that cannot be read.
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

    package var isGrowing: Bool { audio?.isPart ?? (sidecar?.state == .growing) }

    /// The audio's file name; nil where it is gone.
    package var fileName: String? {
        audio.map { "\(base).\($0.fileExtension)\($0.isPart ? ".part" : "")" }
    }

    /// Where the audio is when it is complete, below the recordings folder, as neighbours know it.
    package var path: [String] {
        let fileExtension = audio?.fileExtension ?? sidecar?.format.fileType.fileExtension
        return folders + [fileExtension.map { "\(base).\($0)" } ?? base]
    }

    /// The bytes at `range` of the audio file, as far as they are there; nil where none is.
    package func slice(ofBytes range: Range<Int64>) -> AudioSlice? {
        guard let audio, let fileName else { return nil }
        let present = range.clamped(to: 0..<audio.bytes)
        guard !present.isEmpty else { return nil }
        return AudioSlice(
            folders: folders, name: fileName, offset: present.lowerBound,
            length: present.upperBound - present.lowerBound)
    }
}

/// Bytes of a file in the recordings folder, for whoever sends or plays them. A value; nothing is open.
package struct AudioSlice: Hashable, Sendable {
    /// Folders below the recordings folder.
    package var folders: [String]
    package var name: String
    package var offset: Int64
    package var length: Int64

    package init(folders: [String], name: String, offset: Int64, length: Int64) {
        self.folders = folders
        self.name = name
        self.offset = offset
        self.length = length
    }
}

/// Why a sidecar cannot be read.
package enum SidecarDamage: Hashable, Sendable {
    /// The system does not let us: its `errno`.
    case unreadable(Int32)
    /// Longer than any that we write.
    case tooLong
    case content(Sidecar.Fault)
}
