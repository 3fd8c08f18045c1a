// SPDX-License-Identifier: MIT

/// The identification header of Opus in Ogg (RFC 7845 §5.1).
struct OpusHead: Hashable {
    var channels: Int
    /// How many samples at 48 kHz a decoder throws away at the beginning of a stream.
    var preSkip: Int
    /// Gain for the output, in 1/256 dB.
    var gain: Int
    var streams: Int
    /// How many of the streams are stereo.
    var coupled: Int
    /// For each output channel, in the order of ``ChannelOrder``, the index of the decoded channel.
    var mapping: [UInt8]

    private static let magic = Array("OpusHead".utf8)
    private static let plainLength = 19
    private static let mappingOffset = 21

    /// Nil if the packet is not an identification header, or if the order of its channels is unknown.
    init?(_ packet: [UInt8]) {
        guard packet.count >= Self.plainLength, packet.starts(with: Self.magic), packet[8] & 0xF0 == 0 else {
            return nil
        }
        channels = Int(packet[9])
        preSkip = Int(packet[10]) | Int(packet[11]) << 8
        gain = Int(Int16(truncatingIfNeeded: Int(packet[16]) | Int(packet[17]) << 8))
        switch packet[18] {
        case 0 where 1...2 ~= channels:
            (streams, coupled) = (1, channels - 1)
            mapping = channels == 1 ? [0] : [0, 1]
        case 1 where 1...8 ~= channels && packet.count >= Self.mappingOffset + channels:
            (streams, coupled) = (Int(packet[19]), Int(packet[20]))
            let decoded = streams + coupled
            guard streams > 0, coupled <= streams, decoded <= 255 else { return nil }
            let written = packet[Self.mappingOffset..<Self.mappingOffset + channels]
            // 255 marks a silent channel.
            guard written.allSatisfy({ $0 == 255 || Int($0) < decoded }) else { return nil }
            mapping = ChannelOrder.ofVorbis(channels).map { written[written.startIndex + Int($0)] }
        default:
            return nil
        }
    }
}
