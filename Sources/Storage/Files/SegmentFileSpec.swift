// SPDX-License-Identifier: MIT

/// How a segment's file is to be called and how it begins.
package struct SegmentFileSpec: Hashable, Sendable {
    /// Folders below the recordings folder, made where they are missing.
    package var folders: [String]
    /// Without extension and number: "FIP 2026-11-21 08-00-00+0100".
    package var name: String
    /// Without the dot: "mp3".
    package var fileExtension: String
    /// Written first: a tag, a reserved Info frame, Ogg header pages. ``FileEnding/header`` may patch it in place.
    package var header: [UInt8]
    /// Whether the data is Ogg pages: then a file that is cut gets an end, and the next one a beginning.
    package var isPaged: Bool
    /// The sidecar to begin with, or nil where none is kept.
    package var sidecar: [UInt8]?
    /// Where no sidecar is kept: one for as long as the file grows, if it cannot be marked as ours in any other way.
    package var passingSidecar: [UInt8]?

    package init(
        folders: [String] = [], name: String, fileExtension: String, header: [UInt8] = [], isPaged: Bool = false,
        sidecar: [UInt8]? = nil, passingSidecar: [UInt8]? = nil
    ) {
        self.folders = folders
        self.name = name
        self.fileExtension = fileExtension
        self.header = header
        self.isPaged = isPaged
        self.sidecar = sidecar
        self.passingSidecar = passingSidecar
    }
}

/// What a segment's file is completed with.
package struct FileEnding: Hashable, Sendable {
    /// Replaces the header: as many bytes as ``SegmentFileSpec/header`` (others are ignored). Nil leaves it.
    package var header: [UInt8]?
    /// The last sidecar; ignored where none is kept.
    package var sidecar: [UInt8]?

    package init(header: [UInt8]? = nil, sidecar: [UInt8]? = nil) {
        self.header = header
        self.sidecar = sidecar
    }
}

/// What is in a file.
package struct FileFacts: Hashable, Sendable {
    /// As the user knows it, with the name that the file has now.
    package var path: String
    package var frames: Int64
    /// Bytes of frames: neither the header nor the pages around them.
    package var bytes: Int64
    package var samples: Int64

    package init(path: String, frames: Int64 = 0, bytes: Int64 = 0, samples: Int64 = 0) {
        self.path = path
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
    }
}
