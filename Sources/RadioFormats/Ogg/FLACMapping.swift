// SPDX-License-Identifier: MIT

/// FLAC in Ogg (RFC 9639 §10.1): a STREAMINFO block, a comment block, any other metadata blocks, then frames.
struct FLACMapping: OggMapping {
    private static let magic: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1]
    private static let identificationLength = 51
    /// The offset of the STREAMINFO block's header.
    private static let blockHeader = 13
    private static let streamInfo = 17
    private static let maximumHeaders = 128

    private(set) var comments = VorbisComment()
    private let identification: [UInt8]
    private let info: FLACStreamInfo
    private var headers = 0
    private var hasComments = false

    init?(identification packet: ArraySlice<UInt8>) {
        guard packet.count >= Self.identificationLength, packet.starts(with: Self.magic),
            packet.dropFirst(9).starts(with: Array("fLaC".utf8)), packet.byte(Self.blockHeader) & 0x7F == 0,
            let info = FLACStreamInfo(packet.dropFirst(Self.streamInfo))
        else { return nil }
        self.info = info.ofAnyPart
        // The packet states version 1.0, and that one header packet follows, whose block is the last metadata block.
        identification =
            Self.magic + [0, 0, 1] + Array("fLaC".utf8) + FLACBlock.encoded(self.info, isLast: false)
    }

    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep {
        headers += 1
        // Some muxers do not flag the last block: then the first frame shows that the headers are over.
        if hasComments, Self.isFrame(packet) { return .audio }
        guard packet.count >= 4, let first = packet.first, first != 0xFF, headers <= Self.maximumHeaders else {
            return .invalid
        }
        if first & ~FLACBlock.lastFlag == FLACBlock.commentType {
            comments = VorbisComment(parsing: packet.dropFirst(FLACBlock.headerLength))
            hasComments = true
        }
        return first & FLACBlock.lastFlag != 0 ? .complete : .more
    }

    func layout(ofLongHeader beginning: ArraySlice<UInt8>) -> OggLongHeader.Layout? {
        guard let first = beginning.first, first != 0xFF else { return nil }
        let isComments = first & ~FLACBlock.lastFlag == FLACBlock.commentType
        return OggLongHeader.Layout(start: FLACBlock.headerLength, hasComments: isComments)
    }

    /// Leaves out pictures, seek tables and padding: no decoder needs them, and with them every song would have a
    /// format of its own.
    var format: StreamFormat {
        StreamFormat(
            codec: .flac, sampleRate: info.sampleRate, channels: info.channels,
            headerPackets: [identification, Self.commentPacket(VorbisComment())])
    }

    /// The comment block as the last of the header packets.
    static func commentPacket(_ comments: VorbisComment) -> [UInt8] { FLACBlock.encoded(comments) }

    func content(of packet: ArraySlice<UInt8>) -> OggPacketContent {
        guard Self.isFrame(packet) else { return .other }
        let fixed = info.smallestBlock == info.largestBlock ? info.smallestBlock : 0
        let samples = packet.withUnsafeBytes { FLACFrameHeader.blockSize($0) } ?? fixed
        // If STREAMINFO does not state the largest block size, a block may be as large as the field can state.
        let largest = info.largestBlock > 0 ? info.largestBlock : FLACStreamInfo.largestBlock
        return samples <= largest ? .audio(samples: samples) : .damage
    }

    private static func isFrame(_ packet: ArraySlice<UInt8>) -> Bool {
        packet.count >= 5 && packet.withUnsafeBytes { $0[0] == 0xFF && $0[1] & 0xFC == 0xF8 }
    }
}
