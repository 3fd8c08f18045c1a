// SPDX-License-Identifier: MIT

/// FLAC in Ogg (RFC 9639 §10.1): a STREAMINFO block, a comment block, any other metadata blocks, then frames.
struct FLACMapping: OggMapping {
    private static let magic: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1]
    private static let identificationLength = 51
    /// Where the number of further header packets stands.
    private static let countField = 7..<9
    /// The header of the STREAMINFO block.
    private static let blockHeader = 13
    /// Sizes of the smallest and the largest frame; the number of all samples and their MD5.
    private static let minimumBlockField = 17..<19
    private static let maximumBlockField = 19..<21
    private static let frameSizeFields = 21..<27
    private static let sampleCountField = 31..<35
    private static let digestField = 35..<51
    private static let lastBlockFlag: UInt8 = 0x80
    private static let commentBlock: UInt8 = 4
    private static let maximumHeaders = 128

    private(set) var comments = VorbisComment()
    private let identification: [UInt8]
    private let sampleRate: Int
    private let channels: Int
    /// Samples in every frame, where all have the same number.
    private let fixedBlockSize: Int
    /// The most samples that a frame may have.
    private let maximumBlockSize: Int
    private var headers = 0
    private var hasComments = false

    init?(identification packet: ArraySlice<UInt8>) {
        guard packet.count >= Self.identificationLength, packet.starts(with: Self.magic),
            packet.dropFirst(9).starts(with: Array("fLaC".utf8)), packet.byte(Self.blockHeader) & 0x7F == 0
        else { return nil }
        // 20 bits of rate, three of channels less one, five of bits a sample, 36 of samples in all.
        sampleRate = packet.bigEndian(at: 27, count: 3) >> 4
        channels = (packet.byte(29) >> 1 & 7) + 1
        guard oggSampleRates ~= sampleRate else { return nil }
        let smallest = packet.bigEndian(at: Self.minimumBlockField.lowerBound, count: 2)
        let largest = packet.bigEndian(at: Self.maximumBlockField.lowerBound, count: 2)
        fixedBlockSize = smallest == largest ? smallest : 0
        // Where the field says nothing, the most that fits into it.
        maximumBlockSize = largest > 0 ? largest : Int(UInt16.max)
        identification = Self.withoutFacts(ofTheWhole: packet)
    }

    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep {
        headers += 1
        // Some muxers leave the last block unmarked: then the first frame tells that the headers are over.
        if hasComments, Self.isFrame(packet) { return .audio }
        guard packet.count >= 4, let first = packet.first, first != 0xFF, headers <= Self.maximumHeaders else {
            return .invalid
        }
        if first & 0x7F == Self.commentBlock {
            comments = VorbisComment(parsing: packet.dropFirst(4))
            hasComments = true
        }
        return first & Self.lastBlockFlag != 0 ? .complete : .more
    }

    /// Pictures, seek tables and padding are no concern of a decoder, and would make every song a format of its own.
    var format: StreamFormat {
        StreamFormat(
            codec: .flac, sampleRate: sampleRate, channels: channels,
            headerPackets: [identification, Self.commentPacket(VorbisComment())])
    }

    /// The comment block as the last of the header packets.
    static func commentPacket(_ comments: VorbisComment) -> [UInt8] {
        let body = comments.encoded
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
        return [lastBlockFlag | commentBlock] + length + body
    }

    func content(of packet: ArraySlice<UInt8>) -> OggPacketContent {
        guard Self.isFrame(packet) else { return .other }
        let samples = blockSize(of: packet)
        return samples <= maximumBlockSize ? .audio(samples: samples) : .damage
    }

    private static func isFrame(_ packet: ArraySlice<UInt8>) -> Bool {
        packet.count >= 5 && packet.byte(0) == 0xFF && packet.byte(1) & 0xFC == 0xF8
    }

    /// RFC 9639 §9.1: the header of a frame names the number of its samples.
    private func blockSize(of packet: ArraySlice<UInt8>) -> Int {
        switch packet.byte(2) >> 4 {
        case 1: return 192
        case let code where 2...5 ~= code: return 144 << code
        case let code where 8...15 ~= code: return 1 << code
        case let code where code == 6 || code == 7:
            // The number of samples follows the frame's own number, which is coded like a character of UTF-8.
            let coded = (~packet[packet.startIndex + 4]).leadingZeroBitCount
            let place = 4 + max(1, coded)
            guard packet.count >= place + code - 5 else { return fixedBlockSize }
            return packet.bigEndian(at: place, count: code - 5) + 1
        default: return fixedBlockSize
        }
    }

    /// The first packet as if nothing were known of the whole stream, which is true of a broadcast, with one header
    /// packet to follow.
    private static func withoutFacts(ofTheWhole packet: ArraySlice<UInt8>) -> [UInt8] {
        var packet = Array(packet.prefix(identificationLength))
        for field in [countField, frameSizeFields, sampleCountField, digestField] {
            for index in field { packet[index] = 0 }
        }
        packet[countField.upperBound - 1] = 1
        packet[blockHeader] &= ~lastBlockFlag
        packet[sampleCountField.lowerBound - 1] &= 0xF0
        return packet
    }
}
