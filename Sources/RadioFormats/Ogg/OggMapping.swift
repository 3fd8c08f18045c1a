// SPDX-License-Identifier: MIT

/// How one codec lives in Ogg: its header packets, and how long its packets play.
protocol OggMapping {
    /// Nil where the packet, the first of a logical stream, is not this codec's, or is one that no decoder would take.
    init?(identification packet: ArraySlice<UInt8>)

    /// Takes the next header packet after the identification.
    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep

    /// What the headers said. Valid once ``takeHeader(_:)`` has returned `complete`.
    var format: StreamFormat { get }
    var comments: VorbisComment { get }

    /// What a packet after the headers is.
    mutating func content(of packet: ArraySlice<UInt8>) -> OggPacketContent
}

enum OggPacketContent: Hashable {
    /// How many samples a decoder gives out for the packet once it has decoded those before; 0 where that is not known.
    case audio(samples: Int)
    /// Audio that no decoder takes: it claims to play for longer than a packet of its codec, or its stream, can.
    case damage
    /// Something else, such as a header packet.
    case other
}

enum OggHeaderStep {
    /// More header packets follow.
    case more
    /// The next packet is audio.
    case complete
    /// This one is audio already.
    case audio
    /// No decoder can start with this.
    case invalid
}

/// The mapping for a logical stream that begins with this packet; nil where we know none.
func oggMapping(identification packet: ArraySlice<UInt8>) -> (any OggMapping)? {
    VorbisMapping(identification: packet) ?? OpusMapping(identification: packet)
        ?? FLACMapping(identification: packet)
}

extension ArraySlice<UInt8> {
    /// The byte that many bytes after the first one. The caller has checked that it is there.
    func byte(_ offset: Int) -> Int { Int(self[startIndex + offset]) }

    /// An integer whose first byte weighs least.
    func littleEndian(at offset: Int, count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | byte(offset + $1) }
    }

    /// An integer whose first byte weighs most.
    func bigEndian(at offset: Int, count: Int) -> Int {
        (0..<count).reduce(0) { $0 << 8 | byte(offset + $1) }
    }
}
