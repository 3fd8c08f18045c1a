// SPDX-License-Identifier: MIT

/// How the samples of a track become frames of an elementary stream.
enum MP4Codec: Hashable {
    /// MPEG audio: each sample is a frame, or several.
    case mpeg
    /// AAC, whose samples get ADTS headers.
    case aac(AACConfiguration)

    var container: Container { self == .mpeg ? .mpeg : .adts }

    /// The sample rate in the headers of AAC; nil for MPEG audio, whose frames state it.
    var sampleRate: Int? {
        guard case .aac(let configuration) = self else { return nil }
        return configuration.sampleRate
    }

    /// The bytes in front of a sample of this size: their number, and their values, the last byte least significant.
    func head(ofSize size: Int) throws(DemuxProblem) -> (count: Int, value: UInt64) {
        guard case .aac(let configuration) = self else { return (0, 0) }
        return (ADTSHeader.byteCount, try configuration.header(ofSize: size))
    }
}

// MARK: - Sample descriptions

extension MP4Codec {
    /// Reads the first sample description of an audio track (`stsd`).
    init(descriptions fields: MP4Fields) throws(DemuxProblem) {
        var fields = fields
        let isQuickTime = try fields.versionAndFlags().version == 0
        try fields.skip(4)
        guard let description = try fields.box() else { throw .noAudio }
        var entry = description.fields
        try entry.skip(8)
        let version = try entry.integer(2)
        try entry.skip(18)
        // Longer descriptions, whose further fields say nothing that the decoder's configuration does not.
        if isQuickTime { try entry.skip(version == 1 ? 16 : version == 2 ? 36 : 0) }
        switch description.type {
        case "mp4a":
            let inner = try entry.first("wave") ?? entry
            self = try MP4Codec(elementaryStream: inner.needed("esds"))
        case ".mp3": self = .mpeg
        case "enca":
            var scheme = try entry.needed("sinf").needed("schm")
            try scheme.skip(4)
            throw .encrypted("CENC (\(MP4BoxType(try scheme.integer(4))))")
        case "drms": throw .encrypted("FairPlay")
        default: throw .unsupported("\(Self.names[description.type] ?? "audio of type \(description.type)") in MP4")
        }
    }

    private static let names: [MP4BoxType: String] = [
        "fLaC": "FLAC", "Opus": "Opus", "alac": "ALAC", "ac-3": "AC-3", "ec-3": "E-AC-3", "ac-4": "AC-4",
        "samr": "AMR", "sawb": "AMR", "mhm1": "MPEG-H", "mha1": "MPEG-H", "dtsc": "DTS", "lpcm": "PCM",
        "sowt": "PCM", "twos": "PCM", "ipcm": "PCM", "fpcm": "PCM",
    ]

    /// Reads an elementary stream descriptor (ISO/IEC 14496-1 §7.2.6.5).
    private init(elementaryStream fields: MP4Fields) throws(DemuxProblem) {
        var fields = fields
        try fields.skip(4)
        var stream = try Self.descriptor(3, in: fields)
        try stream.skip(2)
        let flags = try stream.integer(1)
        if flags & 0x80 != 0 { try stream.skip(2) }
        if flags & 0x40 != 0 { try stream.skip(stream.integer(1)) }
        if flags & 0x20 != 0 { try stream.skip(2) }
        var decoder = try Self.descriptor(4, in: stream)
        let kind = try decoder.integer(1)
        try decoder.skip(12)
        switch kind {
        case 0x40, 0x66, 0x67, 0x68:
            let bytes = Array(try Self.descriptor(5, in: decoder).rest)
            let configuration = bytes.withUnsafeBytes { bytes in
                Result { () throws(DemuxProblem) in
                    var bits = BitReader(bytes)
                    return try AACConfiguration(&bits, in: "MP4")
                }
            }
            self = .aac(try configuration.get())
        case 0x69, 0x6B: self = .mpeg
        case 0xA5: throw .unsupported("AC-3 in MP4")
        case 0xA6: throw .unsupported("E-AC-3 in MP4")
        default: throw .unsupported("audio of object type \(kind) in MP4")
        }
    }

    /// The content of the first descriptor that has this tag.
    private static func descriptor(_ tag: Int, in fields: MP4Fields) throws(DemuxProblem) -> MP4Fields {
        var fields = fields
        while !fields.rest.isEmpty {
            let found = try fields.integer(1)
            var length = 0
            for _ in 0..<4 {
                let byte = try fields.integer(1)
                length = length << 7 | byte & 0x7F
                if byte & 0x80 == 0 { break }
            }
            let content = try fields.bytes(length)
            if found == tag { return MP4Fields(content) }
        }
        throw .malformed("a descriptor is missing")
    }
}
