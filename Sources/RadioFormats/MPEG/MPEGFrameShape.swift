// SPDX-License-Identifier: MIT

/// The properties of a frame according to its header, computed once for a run of equal headers.
struct MPEGFrameShape: SyncHeader {
    static var byteCount: Int { MPEGFrameHeader.byteCount }

    // The shape is copied for each frame, so its fields are small.
    private(set) var header: MPEGFrameHeader
    private let unpadded: Int32
    private let rate: Int32
    private let dataOffset: UInt8
    /// The number of bytes that padding adds.
    private let padding: UInt8

    /// Computes the shape of a frame with this header; nil in free format if no length is known. `freeLength` is the
    /// length of a free-format frame without padding.
    init?(_ header: MPEGFrameHeader, freeLength: Int? = nil) {
        guard let unpadded = (header.unpaddedLength ?? freeLength).flatMap({ Int32(exactly: $0) }) else { return nil }
        self.header = header
        self.unpadded = unpadded
        rate = Int32(clamping: header.bitRate)
        dataOffset = UInt8(clamping: header.mainDataOffset)
        padding = UInt8(clamping: header.slot)
    }

    /// The size of the whole frame in bytes.
    var length: Int { unpaddedLength + (header.isPadded ? Int(padding) : 0) }
    /// The size of the whole frame in bytes without padding.
    var unpaddedLength: Int { Int(unpadded) }
    var formatKey: UInt32 { header.formatKey }
    var samples: Int { header.samples }
    var bitRate: Int { Int(rate) }
    /// Layer III: the offset of the side information; 0 in layers I and II.
    private var sideInformationOffset: Int { header.layer == .three ? 4 + (header.hasChecksum ? 2 : 0) : 0 }
    private var mainDataOffset: Int { Int(dataOffset) }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let header = MPEGFrameHeader(word: Self.word(bytes, at: 0)) else { return nil }
        self.init(header)
    }

    /// The shape of the next header in the same run; nil if its format differs, or if only one of the two is free
    /// format.
    func next(_ bytes: UnsafeRawBufferPointer) -> MPEGFrameShape? {
        let word = Self.word(bytes, at: 0)
        if isContinued(by: word) {
            // The usual case at a constant bit rate: nothing else has to be computed again.
            var shape = self
            shape.header.alter(to: word)
            return shape
        }
        guard let header = MPEGFrameHeader(word: word), header.formatKey == formatKey, header.isFreeFormat == isMeasured
        else { return nil }
        return MPEGFrameShape(header, freeLength: isMeasured ? unpaddedLength : nil)
    }

    var format: StreamFormat { header.format }
    var isMeasured: Bool { header.isFreeFormat }

    var longestLength: Int {
        let longest = isMeasured ? unpaddedLength : header.plain(bitRateIndex: 14)?.unpaddedLength ?? unpaddedLength
        return longest + header.slot
    }

    /// Whether a frame that begins with `word` is just like this one. Padding, and the mode of joint stereo, may change
    /// with every frame.
    func isContinued(by word: UInt32) -> Bool {
        (word ^ header.word) & ~(MPEGFrameHeader.Bits.modeExtension | MPEGFrameHeader.Bits.padding) == 0
    }

    func repeats(_ last: MPEGFrameShape) -> Bool {
        last.isContinued(by: header.word)
    }

    /// Main data that does not fit, or a wrong checksum, is evidence against a frame. So is layer I, which is hardly
    /// ever used.
    func credence(_ frame: UnsafeRawBufferPointer) -> Int {
        if hasWrongChecksum(frame) { return 0 }
        if let mainData = mainData(of: frame), mainData.leaves < 0 { return 0 }
        return header.layer == .one ? 1 : 2
    }

    func hasWrongChecksum(_ frame: UnsafeRawBufferPointer) -> Bool {
        header.hasChecksum && MPEGChecksum.isWrong(in: frame)
    }

    func mainData(of frame: UnsafeRawBufferPointer) -> MainData? {
        guard sideInformationOffset > 0, frame.count >= mainDataOffset else { return nil }
        let isMPEG1 = header.version == .mpeg1
        let channels = header.channels
        let first = Int(frame[sideInformationOffset])
        let reachesBack = isMPEG1 ? first << 1 | Int(frame[sideInformationOffset + 1] >> 7) : first
        // `main_data_begin`, private bits and scale factor selection; then for each granule and channel a block that
        // begins with `part2_3_length`, twelve bits.
        var bit = isMPEG1 ? (channels == 1 ? 18 : 20) : (channels == 1 ? 9 : 10)
        var bits = 0
        for _ in 0..<(isMPEG1 ? 2 : 1) * channels {
            let place = sideInformationOffset + bit / 8
            bits += Int(Self.word(frame, at: place) >> (20 - bit % 8) & 0xfff)
            bit += isMPEG1 ? 59 : 63
        }
        return MainData(reachesBack: reachesBack, leaves: reachesBack + length - mainDataOffset - (bits + 7) / 8)
    }

    /// Whether the frame describes a file instead of carrying audio: Xing and Info (also LAME's), or VBRI.
    ///
    /// Each identifier can stand in one place only. The side information of a Xing frame is all zero, and its flags are
    /// known ones. So neither a silent frame nor a frame whose audio happens to contain the identifier is taken for a
    /// Xing frame.
    func isInfo(_ frame: UnsafeRawBufferPointer) -> Bool {
        guard sideInformationOffset > 0 else { return false }
        if frame.count >= mainDataOffset + 8 {
            let mark = Self.word(frame, at: mainDataOffset)
            if mark == Self.xing || mark == Self.info {
                return Self.word(frame, at: mainDataOffset + 4) <= 0xf
                    && frame[sideInformationOffset..<mainDataOffset].allSatisfy { $0 == 0 }
            }
        }
        // VBRI stands 32 bytes after the header in every mode; there is only version 1.
        return frame.count >= 42 && Self.word(frame, at: 36) == Self.vbri && frame[40] == 0 && frame[41] == 1
    }

    static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private static let xing: UInt32 = 0x5869_6e67
    private static let info: UInt32 = 0x496e_666f
    private static let vbri: UInt32 = 0x5642_5249
}
