// SPDX-License-Identifier: MIT

/// What a `CODECS` attribute says (RFC 6381).
struct HLSCodecs {
    let hasVideo: Bool
    /// Whether Aircheck can record the audio, as far as the codecs say.
    let isSupported: Bool

    init(_ text: String?) {
        let names = (text ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
        hasVideo = names.contains { name in Self.video.contains { name.hasPrefix($0) } }
        let others = names.filter { name in !Self.video.contains { name.hasPrefix($0) } }
        isSupported = others.isEmpty || others.contains { Self.supported.contains($0) }
    }

    private static let video = ["avc", "hvc", "hev", "dvh", "dva", "vp0", "vp8", "vp9", "av01", "mp4v", "jpeg"]

    /// AAC of the object types that ADTS can hold, also by its numbers of MPEG-2, and MPEG audio.
    private static let supported: Set<String> = [
        "mp4a", "mp4a.40", "mp4a.40.2", "mp4a.40.02", "mp4a.40.5", "mp4a.40.05", "mp4a.40.29", "mp4a.40.34",
        "mp4a.66", "mp4a.67", "mp4a.68", "mp4a.69", "mp4a.6b", "mp3", "aac",
    ]
}
