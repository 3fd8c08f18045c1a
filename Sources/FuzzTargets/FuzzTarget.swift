// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Parsers of untrusted input, with checks that must hold for any input: for libFuzzer (`make fuzz`), and for the
/// tests, which replay the inputs that were kept (`Tests/Seeds`).
package enum FuzzTarget: String, CaseIterable, Sendable {
    case icy, mpeg, adts, ogg, flac, mp4, pcm, ts, packed, segments
    case parts, id3, playlist, hls, json, recognition, request, path

    /// The maximum number of steps (`scripts/fuzz-work.c`) per input byte, including the checks: several times the most
    /// that any known input has taken.
    package var mostWork: Int {
        switch self {
        case .id3, .request: 64
        case .mpeg, .adts, .ogg, .flac, .mp4, .ts, .json: 128
        // Each sample is written into a frame, whose checksum is computed.
        case .pcm: 512
        // A title is decoded in four charsets, and each result repaired, cleaned once more and encoded. A list's entries
        // are resolved against a base, whose path may have a thousand parts. A body without a stated type is recognized
        // first, in longer and longer prefixes of up to 16 KiB.
        case .icy, .playlist, .parts: 1_024
        // Short lines with variables become long addresses.
        case .hls: 2_048
        // The beginning of each segment is recognized as a body is.
        case .packed, .segments: 1_024
        // The recognition of each of five types examines longer and longer prefixes of the body, because the body may
        // arrive in pieces. In each prefix, every byte may begin a chain of packets.
        case .recognition: 8_192
        // Time advances in steps of a tenth of a second until a silent station has been given up, and every sink gets
        // every event. A few dozen bytes of Ogg may begin a new file, whose sidecar is written and read again.
        case .path: 8_192
        }
    }

    /// The length that shorter inputs are counted as, because there is always some fixed work.
    package static let leastLength = 4_096

    /// What is wrong with the parser's output for these bytes; nil if nothing is.
    package func complaint(about bytes: [UInt8]) -> String? {
        switch self {
        case .icy: ICYChecks.complaint(about: bytes)
        case .mpeg: PartChecks.complaint(about: bytes, by: PartFramer(.mpeg))
        case .adts: PartChecks.complaint(about: bytes, by: PartFramer(.adts))
        case .ogg: PartChecks.complaint(about: bytes, by: PartFramer(.ogg))
        case .flac: PartChecks.complaint(about: bytes, by: PartFramer(.flac))
        case .mp4: DemuxChecks.complaint(about: bytes, by: MP4Demuxer())
        case .pcm: DemuxChecks.complaint(about: bytes, by: PCMDemuxer())
        case .ts: DemuxChecks.complaint(about: bytes, by: SegmentedDemuxer(TransportStreamDemuxer(), length: 3_010))
        case .packed: DemuxChecks.complaint(about: bytes, by: SegmentedDemuxer(PackedAudioDemuxer(), length: 1_500))
        case .segments: SegmentChecks.complaint(about: bytes)
        case .parts: PartChecks.complaint(about: bytes, by: PartFramer(name: nil))
        case .id3: TextChecks.tag(bytes)
        case .playlist: TextChecks.playlist(bytes)
        case .hls: HLSChecks.complaint(about: bytes)
        case .json: TextChecks.json(bytes)
        case .recognition: TextChecks.recognition(bytes)
        case .request: RequestChecks.complaint(about: bytes)
        case .path: PathChecks.complaint(about: bytes)
        }
    }
}
