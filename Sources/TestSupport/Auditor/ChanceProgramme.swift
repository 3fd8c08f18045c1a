// SPDX-License-Identifier: MIT

import TestTools

/// The programmes that a ``ChanceStation`` may have. All frames of one differ. Each is made once a process.
package enum ChanceProgramme: String, CaseIterable, Sendable {
    case mpeg128, mpeg24, mpeg320, variable128, variable224, layerII, mp3
    case aac96, aac16, opus96, opus24, vorbis, flacInOgg, flac

    /// The length in seconds, which is enough for every station.
    static let length = 245

    /// Constant bit rates are the most usual, so they occur more often.
    static let drawn = [mpeg128, mpeg128, mp3] + allCases

    /// Whether a server can send metadata between the frames.
    var hasMetadata: Bool {
        switch self {
        case .opus96, .opus24, .vorbis, .flacInOgg, .flac: false
        case .mpeg128, .mpeg24, .mpeg320, .variable128, .variable224, .layerII, .mp3, .aac96, .aac16: true
        }
    }

    /// The programme, with a new title every eleven seconds, and the means to recognise its frames. The first call
    /// makes it; ffmpeg takes up to three seconds.
    package func made() throws -> (broadcast: Broadcast, heard: HeardFrames) {
        try Self.all.change { all in
            if let made = all[self] { return made }
            var broadcast = try make()
            if hasMetadata {
                for second in stride(from: 0, to: Self.length, by: 11) {
                    let place = broadcast.framesAired(at: .seconds(second))
                    broadcast = broadcast.title("Title \(second / 11)", from: place)
                }
            }
            let made = (broadcast, HeardFrames(of: broadcast))
            all[self] = made
            return made
        }
    }

    private static let all = Watched<[ChanceProgramme: (Broadcast, HeardFrames)]>([:])

    private func make() throws -> Broadcast {
        switch self {
        case .mpeg128: synthetic(MPEGShape(128))
        case .mpeg24: synthetic(MPEGShape(24, sampleRate: 22_050, isMono: true))
        case .mpeg320: synthetic(MPEGShape(320))
        case .variable128: synthetic(MPEGShape(128, isVariable: true))
        case .variable224: synthetic(MPEGShape(224, sampleRate: 48_000, isVariable: true))
        case .layerII: try encoded(.mp2(192))
        case .mp3: try encoded(.mp3(128))
        case .aac96: try encoded(.aac(96))
        case .aac16: try encoded(.aac(16), 22_050, channels: 1)
        case .opus96: try encoded(.opus(96), 48_000)
        case .opus24: try encoded(.opus(24), 48_000, channels: 1)
        case .vorbis: try encoded(.vorbis(128))
        case .flacInOgg: try encoded(.flac)
        case .flac: try encoded(.nativeFLAC)
        }
    }

    private func synthetic(_ shape: MPEGShape) -> Broadcast { Broadcast([.music(.seconds(Self.length))], shape) }

    private func encoded(
        _ encoding: ReferenceProgramme.Encoding, _ sampleRate: Int = 44_100, channels: Int = 2
    ) throws -> Broadcast {
        try Broadcast(
            ReferenceProgramme(
                .init(encoding, sampleRate: sampleRate, channels: channels, seconds: Self.length, seed: 11)))
    }
}
