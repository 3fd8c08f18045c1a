// SPDX-License-Identifier: MIT

/// Why a difference between ffprobe's list and Aircheck's frames is none of Aircheck's faults. Each proves itself by the
/// file; what none of them explains is one.
enum DifferenceReason: String, CaseIterable {
    /// Neither finds any audio, such as in a tag alone.
    case noAudioForEither = "no audio for either"
    /// Another codec than those that Aircheck frames, which it says.
    case unsupportedCodec = "a codec that is not supported"
    /// The file was cut inside its last frame. ffprobe lists what is left of it; no half frame is ever played.
    case halfOfLastFrame = "half of a last frame"
    /// The file has one frame. That is too little for ffprobe to believe that it is one.
    case loneFrame = "a frame alone"
    /// The first packet of Vorbis plays nothing: it only begins the overlap. ffprobe gives it half a block.
    case firstBlock = "Vorbis: the first block"
    /// What ffprobe gave to the first packet it takes from the last, which was cut to length: the sum is the same.
    case lastBlock = "Vorbis: the last block"
    /// After a long block a short one plays a quarter of both. ffprobe mostly takes the long one for a short one.
    case shortAfterLong = "Vorbis: a short block after a long one"
}

extension DifferenceReason {
    /// The reason for a difference; nil where there is none.
    static func explaining(
        _ difference: FileComparison.Difference, in comparison: FileComparison
    ) -> DifferenceReason? {
        allCases.first { $0.explains(difference, in: comparison) }
    }

    private func explains(_ difference: FileComparison.Difference, in comparison: FileComparison) -> Bool {
        let (listed, played) = (comparison.listed, comparison.played)
        switch (self, difference) {
        case (.noAudioForEither, .noAudio):
            return listed.units.isEmpty && played.refusal != nil
        case (.unsupportedCodec, .noAudio):
            return listed.codec == "speex" && played.refusal != nil
        case (.halfOfLastFrame, .onlyListed(let place)):
            let unit = listed.units[place]
            guard !comparison.isOgg, place == listed.units.count - 1,
                comparison.file.bytes.count == unit.range.upperBound
            else { return false }
            return FrameLength.named(by: comparison.file.bytes[unit.range]).map { $0 > unit.size } == true
        case (.loneFrame, .onlyPlayed):
            guard listed.codec.isEmpty, played.units.count == 1, let unit = played.units.first else { return false }
            return FrameLength.named(by: comparison.file.bytes[unit.range]) == unit.size
        case (.firstBlock, .length(0, 0)):
            guard let vorbis = VorbisFile(comparison) else { return false }
            return played.units[0].samples == 0 && listed.units[0].samples == vorbis.short / 2
        case (.lastBlock, .length(let one, let other)):
            guard let vorbis = VorbisFile(comparison), one == listed.units.count - 1, vorbis.playsToTheSample
            else { return false }
            // ffprobe counts in 32 bits without a sign.
            let sum = UInt32(truncatingIfNeeded: (listed.units[one].samples ?? 0) + (listed.units[0].samples ?? 0))
            return played.units[other].samples == Int(sum)
        case (.shortAfterLong, .length(let one, let other)):
            guard let vorbis = VorbisFile(comparison), vorbis.playsToTheSample else { return false }
            return listed.units[one].samples == vorbis.short / 2
                && played.units[other].samples == (vorbis.short + vorbis.long) / 4
        default:
            return false
        }
    }
}

/// How long frames of MPEG audio say that they are, from the tables of ISO 11172-3 and 13818-3 for layer III.
enum FrameLength {
    /// Nil where the bytes begin with no header of layer III.
    static func named(by frame: ArraySlice<UInt8>) -> Int? {
        let header = Array(frame.prefix(4))
        guard header.count == 4, header[0] == 0xFF, header[1] & 0xE6 == 0xE2 else { return nil }
        let version = Int(header[1] >> 3) & 3
        let (rate, frequency) = (Int(header[2] >> 4), Int(header[2] >> 2) & 3)
        guard version != 1, (1...14).contains(rate), frequency < 3 else { return nil }
        let kilobits = (version == 3 ? bitRates : lowBitRates)[rate]
        let hertz = [44_100, 48_000, 32_000][frequency] / [4, 1, 2, 1][version]
        return (version == 3 ? 144_000 : 72_000) * kilobits / hertz + Int(header[2] >> 1) & 1
    }

    private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// What a file of Vorbis says of itself, read apart from Aircheck's parser.
struct VorbisFile {
    /// Samples of its two kinds of blocks.
    let short: Int
    let long: Int
    /// Whether all that is played is as long as the granule positions of its last pages say.
    let playsToTheSample: Bool

    init?(_ comparison: FileComparison) {
        let bytes = comparison.file.bytes
        guard comparison.listed.codec == "vorbis", bytes.count > 58, bytes[29...].starts(with: Array("vorbis".utf8))
        else { return nil }
        // The identification header is the first packet and 30 bytes long; the sizes stand in its last but one.
        (short, long) = (1 << (bytes[56] & 15), 1 << (bytes[56] >> 4))
        playsToTheSample = comparison.played.units.reduce(0) { $0 + ($1.samples ?? 0) } == Self.length(bytes)
    }

    /// The sum of the granule positions with which the streams of a file end.
    private static func length(_ file: [UInt8]) -> Int? {
        var (sum, position) = (0, 0)
        while position < file.count {
            guard file.count - position >= 27, file[position...].starts(with: Array("OggS".utf8)) else { return nil }
            let segments = Int(file[position + 26])
            guard position + 27 + segments <= file.count else { return nil }
            let isLast = file[position + 5] & 4 != 0
            if isLast { sum += file[(position + 6)..<(position + 14)].reversed().reduce(0) { $0 << 8 | Int($1) } }
            position += 27 + segments
            position += file[(position - segments)..<position].reduce(0) { $0 + Int($1) }
        }
        return sum
    }
}
