// SPDX-License-Identifier: MIT

/// Reasons for which a difference between ffprobe's list and Aircheck's frames is not a fault of Aircheck. Each reason
/// is verified with the file; a difference without one is a fault.
enum DifferenceReason: String, CaseIterable {
    /// Neither finds any audio, for example because there is only a tag.
    case noAudioForEither = "no audio for either"
    /// A codec that Aircheck does not frame: it refuses the file.
    case unsupportedCodec = "a codec that is not supported"
    /// The file was cut inside its last frame. ffprobe lists the part that is left; Aircheck never plays a partial
    /// frame.
    case halfOfLastFrame = "half of a last frame"
    /// The file has a single frame, which is too little for ffprobe to recognise it.
    case loneFrame = "a frame alone"
    /// The first packet of Vorbis plays nothing: it only begins the overlap. ffprobe counts half a block for it.
    case firstBlock = "Vorbis: the first block"
    /// ffprobe gives the first packet a duration, and subtracts this duration from the last packet, which is cut to
    /// length. The sum of both equals what Aircheck plays of the last packet.
    case lastBlock = "Vorbis: the last block"
    /// A short block after a long one plays a quarter of both. ffprobe usually takes the long one for a short one.
    case shortAfterLong = "Vorbis: a short block after a long one"
}

extension DifferenceReason {
    /// The reason for a difference; nil if there is none.
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
            guard let vorbis = comparison.vorbis else { return false }
            return played.units[0].samples == 0 && listed.units[0].samples == vorbis.short / 2
        case (.lastBlock, .length(let one, let other)):
            guard let vorbis = comparison.vorbis, one == listed.units.count - 1, vorbis.playsToTheSample
            else { return false }
            // ffprobe computes durations as unsigned 32-bit numbers, so the sum is computed in the same way.
            let sum = UInt32(truncatingIfNeeded: (listed.units[one].samples ?? 0) + (listed.units[0].samples ?? 0))
            return played.units[other].samples == Int(sum)
        case (.shortAfterLong, .length(let one, let other)):
            guard let vorbis = comparison.vorbis, vorbis.playsToTheSample else { return false }
            return listed.units[one].samples == vorbis.short / 2
                && played.units[other].samples == (vorbis.short + vorbis.long) / 4
        default:
            return false
        }
    }
}
