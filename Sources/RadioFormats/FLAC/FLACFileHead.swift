// SPDX-License-Identifier: MIT

/// The head of a FLAC file: the `fLaC` marker, STREAMINFO, and comments if there are any. The first frame after it may
/// have any frame number.
struct FLACFileHead: FileHead {
    private var info: FLACStreamInfo
    private let comments: VorbisComment?

    /// Creates the head of a file of this format; nil if the format does not contain STREAMINFO.
    init?(_ format: StreamFormat, _ comments: [(String, String)]) {
        guard let info = format.headerPackets.first.flatMap({ FLACStreamInfo($0[...]) }) else { return nil }
        self.info = info
        self.comments = comments.isEmpty ? nil : VorbisComment(ownFields: comments)
    }

    var samples: Int64 {
        get { info.samples }
        set { info.samples = newValue }
    }

    var bytes: [UInt8] {
        Array("fLaC".utf8) + FLACBlock.encoded(info, isLast: comments == nil)
            + (comments.map(FLACBlock.encoded) ?? [])
    }
}
