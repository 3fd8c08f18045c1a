// SPDX-License-Identifier: MIT

/// The file extension for recordings of a format, and the media type under which it is served.
package struct FileType: Sendable {
    /// The file extension without the dot.
    package let fileExtension: String
    package let contentType: String
    /// The codec of the formats in this row; nil means all codecs.
    private let codec: Codec?
    package let container: Container

    private init(_ container: Container, _ codec: Codec?, _ fileExtension: String, _ contentType: String) {
        (self.container, self.codec) = (container, codec)
        (self.fileExtension, self.contentType) = (fileExtension, contentType)
    }

    /// A format uses the first row that fits, and each container has a last row for all of its codecs.
    package static let all = [
        FileType(.mpeg, .mp1, "mp1", "audio/mpeg"),
        FileType(.mpeg, .mp2, "mp2", "audio/mpeg"),
        FileType(.mpeg, nil, "mp3", "audio/mpeg"),
        FileType(.adts, nil, "aac", "audio/aac"),
        FileType(.ogg, .opus, "opus", "audio/ogg"),
        FileType(.ogg, nil, "ogg", "application/ogg"),
        FileType(.flac, nil, "flac", "audio/flac"),
    ]

    fileprivate static func of(_ container: Container, _ codec: Codec) -> FileType {
        guard let type = all.first(where: { $0.container == container && ($0.codec ?? codec) == codec }) else {
            preconditionFailure("\(container) has no row for \(codec)")
        }
        return type
    }
}

extension StreamFormat {
    package var fileType: FileType { .of(container, codec) }
}

extension Container {
    /// The container of recordings with this file extension; nil if no recording has this extension.
    package init?(fileExtension: String) {
        guard let type = FileType.all.first(where: { $0.fileExtension == fileExtension }) else { return nil }
        self = type.container
    }
}
