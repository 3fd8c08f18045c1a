// SPDX-License-Identifier: MIT

import TestTools

/// A minimal parser of MPEG audio and ADTS headers, from the tables of ISO 11172-3 and 13818-7; for FLAC see
/// ``SimpleFLAC``.
///
/// It trusts every header and holds no state. Use it only for files that are known to be intact.
enum SimpleFrames {
    /// The frames of a file that contains only frames, after a FLAC head if there is one.
    static func split(_ file: [UInt8], _ container: FrameChecker.Container) throws -> [ArraySlice<UInt8>] {
        var frames: [ArraySlice<UInt8>] = []
        var rest = file.dropFirst(SimpleFLAC.headLength(file[...]) ?? 0)
        while !rest.isEmpty {
            guard let length = length(rest, container), length <= rest.count else {
                throw SetupError("no frame at byte \(rest.startIndex) of the source")
            }
            frames.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    /// The length of the frame whose header is at the start of `bytes`; nil if there is no header.
    static func length(_ bytes: ArraySlice<UInt8>, _ container: FrameChecker.Container) -> Int? {
        switch container {
        case .mpegAudio: mpegLength(bytes)
        case .adts: adtsLength(bytes)
        case .ogg: nil
        case .flac: SimpleFLAC.frameLength(bytes)
        }
    }

    /// The length of the ID3v2 tag or FLAC head at the start of `bytes`; nil if there is none.
    static func tagLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        if let head = SimpleFLAC.headLength(bytes) { return head }
        guard bytes.starts(with: [0x49, 0x44, 0x33]), bytes.count >= 10 else { return nil }
        return 10 + bytes.dropFirst(6).prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// Whether a layer III frame is a Xing or Info frame, which has that name after the side information.
    static func isInfoFrame(_ frame: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(frame)
        guard bytes.count > 44, bytes[0] == 0xFF, (bytes[1] >> 1) & 3 == 1 else { return false }
        let isVersion1 = (bytes[1] >> 3) & 3 == 3
        let isMono = bytes[3] >> 6 == 3
        let sideInformation = isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        let name = bytes[(4 + sideInformation)...].prefix(4)
        return name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8)
    }

    private static func mpegLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == 0xFF, bytes.count >= 4 else { return nil }
        let header = Array(bytes.prefix(4))
        guard header[1] & 0xE0 == 0xE0 else { return nil }
        let version = Int(header[1] >> 3) & 3
        let layer = 4 - Int(header[1] >> 1) & 3
        guard version != 1, layer != 4 else { return nil }
        let isVersion1 = version == 3
        let rates = isVersion1 ? [layer1, layer2, layer3][layer - 1] : [lowLayer1, lowLayer23, lowLayer23][layer - 1]
        let (rateIndex, frequencyIndex) = (Int(header[2] >> 4), Int(header[2] >> 2) & 3)
        guard (1...14).contains(rateIndex), frequencyIndex < 3 else { return nil }
        let bitRate = rates[rateIndex] * 1000
        let frequency = [44_100, 48_000, 32_000][frequencyIndex] / [4, 1, 2, 1][version]
        let padding = Int(header[2] >> 1) & 1
        switch layer {
        case 1: return (12 * bitRate / frequency + padding) * 4
        case 2: return 144 * bitRate / frequency + padding
        default: return (isVersion1 ? 144 : 72) * bitRate / frequency + padding
        }
    }

    private static func adtsLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == 0xFF, bytes.count >= 7 else { return nil }
        let header = Array(bytes.prefix(7))
        guard header[1] & 0xF6 == 0xF0, (header[2] >> 2) & 15 < 13 else { return nil }
        let length = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
        return length > 7 ? length : nil
    }

    // Bit rates in kbit/s by index, ISO 11172-3 2.4.2.3 and ISO 13818-3 2.4.2.3.
    private static let layer1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    private static let layer2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    private static let layer3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowLayer1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    private static let lowLayer23 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
