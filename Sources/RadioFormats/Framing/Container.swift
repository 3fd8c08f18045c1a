// SPDX-License-Identifier: MIT

/// How frames are laid out in a stream or a file, and so how they are found; independent of their ``Codec``.
package enum Container: String, Hashable, Sendable, CaseIterable {
    /// MPEG audio frames, one after the other.
    case mpeg
    /// AAC frames with ADTS headers.
    case adts
    /// Ogg packets in pages. A file with some packets of a stream needs pages of its own.
    case ogg
    /// FLAC frames, one after the other. A decoder can start at any of them, but needs a head first.
    case flac

    /// Creates a framer for this container. A framer holds each frame until it sees what follows: a few milliseconds of
    /// delay are better than a frame made of two halves.
    package func makeFramer() -> any Framer {
        switch self {
        case .mpeg: MPEGAudioFramer()
        case .adts: ADTSFramer()
        case .ogg: OggFramer()
        case .flac: FLACFramer()
        }
    }

    /// The container's name for people, to be shown after the codec's; nil if frames simply follow each other.
    var words: String? {
        switch self {
        case .mpeg, .flac: nil
        case .adts: "ADTS"
        case .ogg: "Ogg"
        }
    }

    fileprivate func fileHead(_ format: StreamFormat, _ comments: [(String, String)]) -> (any FileHead)? {
        switch self {
        case .mpeg, .adts, .ogg: nil
        case .flac: FLACFileHead(format, comments)
        }
    }

    /// Frames that play as silence after a stream's last frames, at about this many bits per second; nil if the
    /// container has none.
    func silence(after tail: [[UInt8]], bitRate: Double) -> SilentUnit? {
        switch self {
        case .mpeg: MutedMPEGFrames.unit(after: tail)
        case .adts: EmptyADTSFrame.unit(after: tail, bitRate: bitRate)
        case .ogg, .flac: nil
        }
    }

    /// Whether the relay serves this container. The listeners of the relay come and go at any frame.
    package var isRelayed: Bool {
        switch self {
        case .mpeg, .adts, .ogg: true
        case .flac: false
        }
    }
}

extension StreamFormat {
    /// The names of codec and container, for people.
    package var words: String { codecWords + (container.words.map { " in \($0)" } ?? "") }

    private var codecWords: String {
        switch sbr {
        case .absent: codec.words
        case .possible: "AAC (may be HE)"
        case .present: "HE-AAC"
        }
    }

    /// The head of a file of this format; nil if the frames need no head, or are in pages. `comments` are names and
    /// values, such as ("TITLE", "…").
    package func fileHead(comments: [(String, String)] = []) -> (any FileHead)? {
        container.fileHead(self, comments)
    }
}
