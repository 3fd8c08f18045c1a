// SPDX-License-Identifier: MIT

/// How one codec is stored in Ogg: its header packets, and how long its packets play.
protocol OggMapping {
    /// Parses the first packet of a logical stream; nil if it is not this codec's, or if no decoder would accept it.
    init?(identification packet: ArraySlice<UInt8>)

    /// Takes the next header packet after the identification.
    mutating func takeHeader(_ packet: ArraySlice<UInt8>) -> OggHeaderStep

    /// What to keep of a header packet that is too long to be held, by its beginning; nil if a decoder needs all of it.
    /// Without the rest, it must still be a packet for ``takeHeader(_:)``.
    func layout(ofLongHeader beginning: ArraySlice<UInt8>) -> OggLongHeader.Layout?

    /// The format according to the headers. Valid once ``takeHeader(_:)`` has returned `complete` or `audio`.
    var format: StreamFormat { get }
    var comments: VorbisComment { get }

    /// How many samples the first packet completes, of which a decoder that begins with it outputs none.
    var primed: Int { get }

    /// Classifies a packet after the headers.
    mutating func content(of packet: ArraySlice<UInt8>) -> OggPacketContent
}

extension OggMapping {
    var primed: Int { 0 }
}

enum OggPacketContent: Hashable {
    /// Audio. A decoder outputs `samples` for the packet once it has decoded the packets before it; 0 if unknown.
    case audio(samples: Int)
    /// Audio that no decoder accepts: it claims to play for longer than a packet of its codec, or of its stream, can.
    case damage
    /// Something else, such as a header packet.
    case other
}

enum OggHeaderStep {
    /// More header packets follow.
    case more
    /// The next packet is audio.
    case complete
    /// This packet is audio already.
    case audio
    /// No decoder can start with this packet.
    case invalid
}

/// The mapping for a logical stream that begins with this packet; nil for an unknown codec.
func oggMapping(identification packet: ArraySlice<UInt8>) -> (any OggMapping)? {
    VorbisMapping(identification: packet) ?? OpusMapping(identification: packet)
        ?? FLACMapping(identification: packet)
}

extension ArraySlice<UInt8> {
    /// The byte at `offset`, counted from the first byte. The caller must make sure that the byte exists.
    func byte(_ offset: Int) -> Int { Int(self[startIndex + offset]) }

    /// A little-endian integer.
    func littleEndian(at offset: Int, count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | byte(offset + $1) }
    }

    /// A big-endian integer.
    func bigEndian(at offset: Int, count: Int) -> Int {
        (0..<count).reduce(0) { $0 << 8 | byte(offset + $1) }
    }
}
