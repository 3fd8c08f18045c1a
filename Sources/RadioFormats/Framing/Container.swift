// SPDX-License-Identifier: MIT

/// How frames lie in a stream or a file, and so how they are found: another fact than their ``Codec``.
package enum Container: String, Hashable, Sendable, CaseIterable {
    /// MPEG audio frames, one behind the other.
    case mpeg
    /// AAC frames with ADTS headers.
    case adts
    /// Packets in pages: frames become a file only in pages of its own.
    case ogg
    /// FLAC frames, one behind the other. A decoder takes them from any of them on, but needs a head first.
    case flac

    /// The framer for all that lies like this. Every frame waits for what stands behind it: a frame made of two halves
    /// is worse than a few milliseconds.
    package func makeFramer() -> any Framer {
        switch self {
        case .mpeg: MPEGAudioFramer()
        case .adts: ADTSFramer()
        case .ogg: OggFramer()
        case .flac: FLACFramer()
        }
    }

    /// For people, behind the codec; nil where frames lie one behind the other as they are.
    fileprivate var words: String? {
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

    /// Frames that play as silence after a stream's last frames, if the container has them.
    func silence(after tail: [[UInt8]]) -> SilentUnit? {
        switch self {
        case .mpeg: MutedMPEGFrames.unit(after: tail)
        case .adts: EmptyADTSFrame.unit(after: tail)
        case .ogg, .flac: nil
        }
    }

    /// Whether listeners are served with it, who come and go at any frame.
    package var isRelayed: Bool {
        switch self {
        case .mpeg, .adts, .ogg: true
        case .flac: false
        }
    }
}

extension StreamFormat {
    /// For people: codec and container.
    package var words: String { codec.words + (container.words.map { " in \($0)" } ?? "") }

    /// What a file of this format begins with; nil where its frames are enough, or have pages. `comments` are names and
    /// values, such as ("TITLE", "…").
    package func fileHead(comments: [(String, String)] = []) -> (any FileHead)? {
        container.fileHead(self, comments)
    }
}
