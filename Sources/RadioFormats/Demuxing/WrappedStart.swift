// SPDX-License-Identifier: MIT

/// A frame of a file in a wrapper from which the audio is taken out, with what the file's head says: enough to read the
/// file from that frame on.
package enum WrappedStart: Hashable, Sendable {
    case mp4(MP4Start)
    case pcm(PCMStart)

    package var wrapper: Wrapper {
        switch self {
        case .mp4: .mp4
        case .pcm: .pcm
        }
    }

    package func makeDemuxer() -> any Demuxer {
        switch self {
        case .mp4(let start): MP4Demuxer(start)
        case .pcm(let start): PCMDemuxer(start)
        }
    }
}
