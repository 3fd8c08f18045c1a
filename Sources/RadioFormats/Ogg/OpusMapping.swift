// SPDX-License-Identifier: MIT

/// Opus in Ogg (RFC 7845): two header packets, then audio, always counted at 48 kHz.
struct OpusMapping: OggMapping {
    private static let identificationMagic = Array("OpusHead".utf8)
    private static let commentMagic = Array("OpusTags".utf8)
    private static let sampleRate = 48_000
    /// 120 ms, the longest duration of a packet (RFC 6716 §3.2.5).
    private static let maximumSamples = 5760
    private static let preSkipField = 10..<12

    private(set) var comments = VorbisComment()
    private let identification: [UInt8]

    init?(identification packet: ArraySlice<UInt8>) {
        // A minor version may only add to the header. A major version may change anything, so only major version 0 is
        // accepted.
        guard packet.count >= 19, packet.starts(with: Self.identificationMagic), packet.byte(8) & 0xF0 == 0,
            packet.byte(9) > 0
        else { return nil }
        identification = Array(packet)
    }

    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep {
        guard packet.starts(with: Self.commentMagic) else { return .invalid }
        comments = VorbisComment(parsing: packet.dropFirst(Self.commentMagic.count))
        return .complete
    }

    func layout(ofLongHeader beginning: ArraySlice<UInt8>) -> OggLongHeader.Layout? {
        let magic = Self.commentMagic
        return beginning.starts(with: magic) ? OggLongHeader.Layout(start: magic.count, hasComments: true) : nil
    }

    var format: StreamFormat {
        StreamFormat(
            codec: .opus, sampleRate: Self.sampleRate, channels: Int(identification[9]),
            headerPackets: [identification, Self.commentPacket(VorbisComment())])
    }

    static func commentPacket(_ comments: VorbisComment) -> [UInt8] {
        commentMagic + comments.encoded
    }

    /// The identification header with another pre-skip: the number of samples that a decoder discards.
    static func identification(_ identification: [UInt8], preSkip: UInt16) -> [UInt8] {
        var identification = identification
        guard identification.count >= preSkipField.upperBound else { return identification }
        identification[preSkipField.lowerBound] = UInt8(truncatingIfNeeded: preSkip)
        identification[preSkipField.lowerBound + 1] = UInt8(truncatingIfNeeded: preSkip >> 8)
        return identification
    }

    /// Determines how long a packet plays (RFC 6716 §3.1): the first byte gives the length of a frame; the first or the
    /// second gives the number of frames.
    func content(of packet: ArraySlice<UInt8>) -> OggPacketContent {
        guard let first = packet.first else { return .other }
        let configuration = Int(first >> 3)
        let frame =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: 120 << (configuration & 3)
            }
        let frames: Int
        switch first & 3 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard packet.count > 1 else { return .audio(samples: 0) }
            frames = packet.byte(1) & 0x3F
        }
        return frame * frames <= Self.maximumSamples ? .audio(samples: frame * frames) : .damage
    }
}
