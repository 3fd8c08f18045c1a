// SPDX-License-Identifier: MIT

/// The formats out of which audio is taken before it is framed, in streams and files.
package enum Wrapper: Hashable, Sendable, CaseIterable {
    case mp4, transportStream
    /// WAV and AIFF. What comes out is FLAC.
    case pcm

    package func makeDemuxer() -> any Demuxer {
        switch self {
        case .mp4: MP4Demuxer()
        case .transportStream: TransportStreamDemuxer()
        case .pcm: PCMDemuxer()
        }
    }

    /// The name for people.
    var words: String {
        switch self {
        case .mp4: "MP4"
        case .transportStream: "an MPEG transport stream"
        case .pcm: "WAV or AIFF"
        }
    }

    /// The name of content in this wrapper from which no audio can be taken, for messages.
    package func words(for problem: DemuxProblem) -> String {
        switch problem {
        case .unsupported(let name): name
        case .encrypted(let scheme): "\(words) that is encrypted (\(scheme))"
        case .indexBehindAudio: "\(words) whose index stands behind its audio"
        case .noAudio: "\(words) without audio"
        case .malformed(let fault): "damaged \(words) (\(fault))"
        }
    }
}
