// SPDX-License-Identifier: MIT

/// Takes tags and audio out of segments of packed audio (RFC 8216 §3.4): frames of ADTS or MPEG audio, with ID3v2 tags
/// before them.
///
/// The tags at the beginning of a segment are taken out: one of them says when the segment's first frame is presented.
/// A tag further behind stays in the audio, because only a framer knows where frames end; the framer skips it, and
/// reports its title. So each tag is told once.
package struct PackedAudioDemuxer: Demuxer {
    private enum State {
        /// A segment begins, perhaps with tags.
        case tags
        /// The tags have ended, and the kind of audio is not known yet.
        case beginning
        case audio
    }

    private var state = State.tags
    private var collector = TagCollector()
    /// The beginning of a segment's audio, as far as it is needed to recognize it.
    private var held: [UInt8] = []
    private var recognizer = Self.newRecognizer
    private var container: Container?
    private var isNewSegment = false

    package init() {}

    package mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        if isNewSegment { try beginSegment(take) }
        var rest = bytes
        if state == .tags { readTags(&rest, take) }
        guard !rest.isEmpty || state == .beginning else { return }
        if state == .beginning {
            held.append(contentsOf: rest)
            try recognize(isComplete: false, take)
        } else {
            take(.audio(rest))
        }
    }

    package mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try segmentEnds(take)
        guard container != nil else { throw .noAudio }
    }

    package mutating func segmentEnds(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        // The first bytes of audio may look like those of a tag. The rest of a tag that was cut is no audio.
        if state == .tags, !collector.held.isEmpty, collector.held.count < ID3v2Header.length {
            (state, held) = (.beginning, collector.held)
        }
        if state == .beginning { try recognize(isComplete: true, take) }
    }

    package mutating func segmentBegins() { isNewSegment = true }

    package mutating func restart() { self = Self() }

    private mutating func beginSegment(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try segmentEnds(take)
        (state, isNewSegment, recognizer) = (.tags, false, Self.newRecognizer)
        collector.clear()
    }

    private mutating func readTags(_ bytes: inout UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) {
        while !bytes.isEmpty {
            switch collector.take(from: &bytes) {
            case .incomplete: return
            case .tag:
                collector.held.withUnsafeBytes { tag in
                    if let time = SegmentTag(tag)?.time { take(.time(time)) }
                    take(.tag(tag))
                }
                collector.clear()
            case .none:
                (state, held) = (.beginning, collector.held)
                collector.clear()
                return
            }
        }
    }

    /// Passes the held bytes on once it is known what they are.
    private mutating func recognize(isComplete: Bool, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        guard let found = try recognized(isComplete: isComplete) else { return }
        if found != container {
            container = found
            take(.container(found))
        }
        held.withUnsafeBytes { take(.audio($0)) }
        (state, held) = (.audio, [])
    }

    /// The kind of audio that begins with the held bytes; nil if more of them are needed. If they say nothing, it is
    /// the kind that the segment before had.
    private mutating func recognized(isComplete: Bool) throws(DemuxProblem) -> Container? {
        if let container, hasHeader(of: container) { return container }
        // The sync word of AC-3 and E-AC-3.
        if container == nil, held.starts(with: [0x0B, 0x77]) { throw .unsupported("AC-3 as packed audio") }
        var recognizer = recognizer
        let guess = held.withUnsafeBytes { recognizer.look(at: $0, isComplete: isComplete) }
        self.recognizer = recognizer
        switch guess {
        case .undecided: return nil
        case .audio(.adts): return .adts
        case .audio(.mpeg): return .mpeg
        case _ where container != nil: return container
        case .audio(let other): throw .unsupported("\(other.words ?? "FLAC") as packed audio")
        case .unsupported(let name): throw .unsupported(name)
        case .wrapped(let wrapper): throw .unsupported("\(wrapper.words) in place of packed audio")
        case .unknown: throw .noAudio
        case .playlist, .hls, .html, .json, .xml, .text: throw .malformed("text in place of audio")
        }
    }

    private func hasHeader(of container: Container) -> Bool {
        guard held.count >= ADTSHeader.byteCount else { return false }
        return held.withUnsafeBytes { bytes in
            container == .adts ? ADTSHeader(bytes) != nil : MPEGFrameHeader(bytes) != nil
        }
    }

    private static var newRecognizer: StreamRecognizer { StreamRecognizer(contentType: nil, url: nil) }
}
