// SPDX-License-Identifier: MIT

import RadioFormats

/// Makes MPEG audio frames that are valid in everything that a framer examines, each different from the others.
struct SyntheticMPEG {
    enum Payload {
        /// Random bytes without any sync pattern.
        case syncFree
        /// Any random bytes.
        case random
        /// Random bytes with copies of the stream's own header at random places.
        case syncLaden
        /// Digital silence as an encoder writes it: side information and main data all zero.
        case silent
    }

    var version: StreamFormat.MPEGVersion = .mpeg1
    var layer: MPEGFrameHeader.Layer = .three
    var bitRateIndex: UInt32 = 9
    var sampleRateIndex: UInt32 = 0
    var mode: MPEGFrameHeader.Mode = .jointStereo
    var hasChecksum = false
    var payload: Payload = .syncFree
    /// The length in bytes of a free-format frame without padding.
    var freeLength = 500
    var generator = SplitMix64(seed: 1)
    private var padding = 0

    init(seed: UInt64 = 1) { generator = SplitMix64(seed: seed) }

    var header: MPEGFrameHeader { header(isPadded: false) }

    func header(isPadded: Bool) -> MPEGFrameHeader {
        let versionBits: UInt32 =
            switch version {
            case .mpeg1: 3
            case .mpeg2, .mpeg4: 2
            case .mpeg25: 0
            }
        let fixed: UInt32 = 0xffe0_0000 | versionBits << 19 | UInt32(4 - layer.rawValue) << 17
        let rates = bitRateIndex << 12 | sampleRateIndex << 10
        let flags: UInt32 = (hasChecksum ? 0 : 1 << 16) | (isPadded ? 1 << 9 : 0) | mode.rawValue << 6 | 4
        guard let header = MPEGFrameHeader(word: fixed | rates | flags) else {
            // Only a mistake in the source of a test leads here.
            preconditionFailure("the test asks for a header that cannot be")
        }
        return header
    }

    /// The next frame. Padding is set as often as the rates require.
    mutating func frame() -> [UInt8] {
        let plain = header
        let isPadded: Bool
        if plain.isFreeFormat {
            isPadded = Bool.random(using: &generator)
        } else {
            padding += plain.samples / (8 * plain.slot) * plain.bitRate % plain.sampleRate
            isPadded = padding >= plain.sampleRate
            if isPadded { padding -= plain.sampleRate }
        }
        let header = header(isPadded: isPadded)
        let length = header.length ?? freeLength + (isPadded ? header.slot : 0)
        var frame = Self.bytes(header) + body(length - 4)
        if header.layer == .three, payload != .silent {
            // Back references stay small, as an encoder with a bit reservoir writes them.
            let place = hasChecksum ? 6 : 4
            frame[place] &= 0x3f
        }
        ReferenceChecksum.put(into: &frame)
        return frame
    }

    mutating func frames(_ count: Int) -> [[UInt8]] { (0..<count).map { _ in frame() } }

    /// Frames with random bit rates.
    mutating func variableFrames(_ count: Int, rates: ClosedRange<UInt32> = 3...12) -> [[UInt8]] {
        (0..<count).map { _ in
            bitRateIndex = UInt32.random(in: rates, using: &generator)
            return frame()
        }
    }

    private mutating func body(_ count: Int) -> [UInt8] {
        switch payload {
        case .silent: return [UInt8](repeating: 0, count: count)
        case .random: return generator.bytes(count)
        case .syncFree: return generator.bytes(count).map { $0 == 0xff ? 0x7f : $0 }
        case .syncLaden:
            var bytes = generator.bytes(count)
            for _ in 0..<count / 12 {
                let place = Int.random(in: 2...count - 4, using: &generator)
                bytes.replaceSubrange(place..<place + 4, with: Self.bytes(header(isPadded: .random(using: &generator))))
            }
            return bytes
        }
    }

    static func bytes(_ header: MPEGFrameHeader) -> [UInt8] {
        withUnsafeBytes(of: header.word.bigEndian) { Array($0) }
    }
}
