// SPDX-License-Identifier: MIT

extension ReferenceProgramme.Encoding {
    /// How a file of this encoding contains frames.
    package var container: FrameChecker.Container {
        switch self {
        case .mp3, .mp3Variable, .mp2: .mpegAudio
        case .aac: .adts
        case .opus, .vorbis, .flac: .ogg
        case .nativeFLAC: .flac
        }
    }

    /// Whether the encoding is layer III, whose recordings state their exact duration in an Info frame.
    package var isLayerIII: Bool {
        switch self {
        case .mp3, .mp3Variable: true
        case .mp2, .aac, .opus, .vorbis, .flac, .nativeFLAC: false
        }
    }

    /// The content type that a source announces to a server.
    package var contentType: String {
        switch self {
        case .mp3, .mp3Variable, .mp2: "audio/mpeg"
        case .aac: "audio/aac"
        case .opus, .vorbis, .flac: "application/ogg"
        case .nativeFLAC: "audio/flac"
        }
    }

    /// The file extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .mp3, .mp3Variable: "mp3"
        case .mp2: "mp2"
        case .aac: "aac"
        case .opus: "opus"
        case .vorbis, .flac: "ogg"
        case .nativeFLAC: "flac"
        }
    }

    /// ffmpeg's options for the container, which suppress tags and the Info frame.
    var muxer: [String] {
        switch self {
        case .mp3, .mp3Variable: ["-f", "mp3", "-write_xing", "0", "-id3v2_version", "0"]
        case .mp2: ["-f", "mp2"]
        case .aac: ["-f", "adts"]
        case .opus, .vorbis, .flac: ["-f", "ogg", "-page_duration", "200000"]
        case .nativeFLAC: ["-f", "flac"]
        }
    }

    /// ffmpeg's options for the encoder. MP3 and Opus are encoded at the highest speed: tests count the frames, and
    /// nobody listens to them.
    var encoder: [String] {
        switch self {
        case .mp3(let rate): ["-c:a", "libmp3lame", "-compression_level", "9", "-b:a", "\(rate)k"]
        case .mp3Variable(let quality): ["-c:a", "libmp3lame", "-compression_level", "9", "-q:a", "\(quality)"]
        case .mp2(let rate): ["-c:a", "mp2", "-b:a", "\(rate)k"]
        case .aac(let rate): ["-c:a", "aac", "-b:a", "\(rate)k"]
        case .opus(let rate): ["-c:a", "libopus", "-compression_level", "0", "-b:a", "\(rate)k"]
        case .vorbis(let rate): ["-c:a", "libvorbis", "-b:a", "\(rate)k"]
        case .flac, .nativeFLAC: ["-c:a", "flac"]
        }
    }
}
