// SPDX-License-Identifier: MIT

import RadioFormats

/// What a segment is. The bytes decide, because content types and extensions are often wrong.
package enum SegmentContainer: String, Hashable, Sendable {
    case transportStream = "mpeg-ts"
    case fragments = "fmp4"
    case packed

    init(of bytes: [UInt8], hasSection: Bool) {
        let boxes: [StaticString] = ["ftyp", "styp", "moof", "sidx", "emsg", "moov", "prft"]
        let type = bytes.dropFirst(4).prefix(4)
        let isBox = boxes.contains { $0.withUTF8Buffer { type.elementsEqual($0) } }
        if hasSection || isBox {
            self = .fragments
        } else {
            self = bytes.first == 0x47 && (bytes.count <= 188 || bytes[188] == 0x47) ? .transportStream : .packed
        }
    }

    func makeDemuxer() -> any Demuxer {
        switch self {
        case .transportStream: TransportStreamDemuxer()
        case .fragments: MP4Demuxer()
        case .packed: PackedAudioDemuxer()
        }
    }
}
