// SPDX-License-Identifier: MIT

/// The name of a segment's file, and its beginning.
package struct SegmentFileSpec: Hashable, Sendable {
    /// Folders below the recordings folder, created if missing.
    package var folders: [String]
    /// Without extension, number and the marker of ``isMarked``: "FIP 2026-11-21 08-00-00+0100".
    package var name: String
    /// Whether the name says that the file is incomplete (``IncompleteName``). ``FileEnding/isWhole`` ends that.
    package var isMarked = false
    /// Without the dot: "mp3".
    package var fileExtension: String
    /// Written first: a tag, a reserved Info frame, Ogg header pages. ``FileEnding/header`` may patch it in place.
    package var header: [UInt8]
    /// Whether the data is Ogg pages. If such a file is cut, its last page is marked as the last, and the pages of the
    /// next file are renumbered.
    package var isPaged: Bool
    /// The sample rate of the frames, if an index of them is kept; nil if none is.
    package var indexRate: Int?
    /// The first sidecar; nil if none is kept.
    package var sidecar: [UInt8]?
    /// A sidecar for the growing file, in case no sidecar is kept. It is used only if the file cannot be marked as ours
    /// in another way.
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

/// The header and the sidecar with which a segment's file is completed.
package struct FileEnding: Hashable, Sendable {
    /// Replaces the header; ignored unless it has the length of ``SegmentFileSpec/header``. Nil for no change.
    package var header: [UInt8]?
    /// The final sidecar; ignored if none is kept.
    package var sidecar: [UInt8]?
    /// Whether the file contains everything that its name promises. If so, the marker is removed from the name.
    package var isWhole = false

    package init(header: [UInt8]? = nil, sidecar: [UInt8]? = nil, isWhole: Bool = false) {
        self.header = header
        self.sidecar = sidecar
        self.isWhole = isWhole
    }
}

/// The contents of a file.
package struct FileFacts: Hashable, Sendable {
    /// The file's present path, as the user knows it.
    package var path: String
    package var frames: Int64
    /// Bytes of frames, without the header and the pages around them.
    package var bytes: Int64
    package var samples: Int64
    /// The ``AudioChecksum`` of the frames; nil as long as the file is incomplete.
    package var checksum: UInt64?

    package init(path: String, frames: Int64 = 0, bytes: Int64 = 0, samples: Int64 = 0) {
        self.path = path
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
    }
}
