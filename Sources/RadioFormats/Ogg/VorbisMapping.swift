// SPDX-License-Identifier: MIT

/// Vorbis in Ogg (Vorbis I, §4 and appendix A): three header packets, then audio.
struct VorbisMapping: OggMapping {
    private static let magic = Array("vorbis".utf8)
    private static let identificationLength = 30
    private static let commentMagic = [3] + magic

    private(set) var comments = VorbisComment()
    private let identification: [UInt8]
    private let sampleRate: Int
    private let channels: Int
    /// The samples of a short and of a long block.
    private let blockSizes: [Int]
    private var hasComments = false
    private var setup: [UInt8] = []
    /// For each mode, whether its blocks are long.
    private var modes: [Bool] = []
    /// The mask for the bits of a mode number.
    private var modeMask = 0
    private var previousBlock: Int?
    private(set) var primed = 0

    init?(identification packet: ArraySlice<UInt8>) {
        guard packet.count >= Self.identificationLength, packet.first == 1,
            packet.dropFirst().starts(with: Self.magic), packet.littleEndian(at: 7, count: 4) == 0
        else { return nil }
        channels = packet.byte(11)
        sampleRate = packet.littleEndian(at: 12, count: 4)
        let (short, long) = (packet.byte(28) & 0xF, packet.byte(28) >> 4)
        guard channels > 0, believedSampleRates ~= sampleRate, 6...13 ~= short, short...13 ~= long,
            packet.byte(29) & 1 == 1
        else {
            return nil
        }
        blockSizes = [1 << short, 1 << long]
        identification = Array(packet)
    }

    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep {
        guard packet.dropFirst().starts(with: Self.magic) else { return .invalid }
        switch packet.first {
        case 3 where !hasComments:
            hasComments = true
            comments = VorbisComment(parsing: packet.dropFirst(Self.commentMagic.count))
            return .more
        case 5 where hasComments:
            guard let modes = Self.modes(ofSetup: packet) else { return .invalid }
            self.modes = modes
            // The smallest number of bits that holds the highest mode number.
            while modeMask < modes.count - 1 { modeMask = modeMask << 1 | 1 }
            setup = Array(packet)
            return .complete
        default:
            return .invalid
        }
    }

    func layout(ofLongHeader beginning: ArraySlice<UInt8>) -> OggLongHeader.Layout? {
        let magic = Self.commentMagic
        return beginning.starts(with: magic) ? OggLongHeader.Layout(start: magic.count, hasComments: true) : nil
    }

    var format: StreamFormat {
        StreamFormat(
            codec: .vorbis, sampleRate: sampleRate, channels: channels,
            headerPackets: [identification, Self.commentPacket(VorbisComment()), setup])
    }

    static func commentPacket(_ comments: VorbisComment) -> [UInt8] {
        commentMagic + comments.encoded + [1]
    }

    /// Blocks overlap by half: a packet completes a quarter of its own block and a quarter of the block before it. The
    /// very first packet completes nothing.
    mutating func content(of packet: ArraySlice<UInt8>) -> OggPacketContent {
        guard let first = packet.first, first & 1 == 0 else { return .other }
        let mode = Int(first >> 1) & modeMask
        guard mode < modes.count else { return .audio(samples: 0) }
        let block = blockSizes[modes[mode] ? 1 : 0]
        defer { previousBlock = block }
        guard let previousBlock else {
            // The header of a long block says whether the block before it is long. Before a short one, most are short.
            let isAfterLong = modes[mode] && first >> (1 + modeMask.nonzeroBitCount) & 1 == 1
            primed = (blockSizes[isAfterLong ? 1 : 0] + block) / 4
            return .audio(samples: 0)
        }
        return .audio(samples: (previousBlock + block) / 4)
    }

    /// The block flags of the modes: all that is needed from the setup header to compute durations.
    ///
    /// The modes stand at the end of the header, before one framing bit. A mode is easily recognized: one bit for the
    /// block, 16 bits each for window and transform, which are always 0, and eight for a mapping below 64. Before the
    /// first mode, six bits state the number of modes minus one. So the modes are read from the end, without reading
    /// the codebooks.
    private static func modes(ofSetup packet: ArraySlice<UInt8>) -> [Bool]? {
        let bits = LittleEndianBits(bytes: packet)
        guard let framingBit = bits.lastOne else { return nil }
        let (modeLength, countLength, magicLength) = (41, 6, 7 * 8)
        var found: [Bool]?
        var flags: [Bool] = []
        var start = framingBit
        while flags.count < 64 {
            start -= modeLength
            guard start >= magicLength + countLength, bits.value(at: start + 1, count: 32) == 0,
                bits.value(at: start + 33, count: 8) < 64
            else { break }
            flags.append(bits.value(at: start, count: 1) == 1)
            // The bits of a mode may happen to match the number of modes found so far. The true count is the match that
            // is farthest from the end.
            if bits.value(at: start - countLength, count: countLength) + 1 == flags.count { found = flags.reversed() }
        }
        return found
    }
}

/// Reads bits in the order of Vorbis: the least significant bit of a byte comes first.
private struct LittleEndianBits {
    let bytes: ArraySlice<UInt8>

    /// The place of the last bit that is set; nil if none is.
    var lastOne: Int? {
        guard let index = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
        return (index - bytes.startIndex) * 8 + 7 - bytes[index].leadingZeroBitCount
    }

    /// The integer of `count` bits at `place`. The caller must make sure that the bits exist.
    func value(at place: Int, count: Int) -> Int {
        (0..<count).reversed().reduce(0) { value, bit in
            value << 1 | bytes.byte((place + bit) >> 3) >> ((place + bit) & 7) & 1
        }
    }
}
