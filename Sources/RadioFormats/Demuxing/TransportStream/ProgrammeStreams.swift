// SPDX-License-Identifier: MIT

/// The streams of a programme that matter here, from its table (ISO/IEC 13818-1 §2.4.4.8).
struct ProgrammeStreams: Equatable {
    /// How a stream of audio has its frames.
    enum Kind: Equatable {
        case mpeg, adts, latm
    }

    /// A stream of audio, with its number (PID).
    struct AudioPart: Equatable {
        let stream: Int
        let kind: Kind
    }

    /// The first supported audio; a stream that was the audio before stays it.
    private(set) var audio: AudioPart?
    /// The stream of ID3 tags.
    private(set) var tags: Int?
    /// Why there is no supported audio, although there is audio.
    private(set) var problem: DemuxProblem?

    /// Reads the table of a programme, a section of 16 bytes or more. `before` is what an earlier table said.
    init(table: [UInt8], before: ProgrammeStreams?) {
        let end = table.count - 4
        var place = 12 + Int(table[10] & 0xF) << 8 + Int(table[11])
        while place + 5 <= end {
            let stream = table.bigEndian(at: place + 1, count: 2) & 0x1FFF
            let length = table.bigEndian(at: place + 3, count: 2) & 0xFFF
            let descriptors = table[min(place + 5, end)..<min(place + 5 + length, end)]
            add(type: table[place], stream, descriptors, before)
            place += 5 + length
        }
        if audio != nil { problem = nil }
    }

    private mutating func add(type: UInt8, _ stream: Int, _ descriptors: ArraySlice<UInt8>, _ before: Self?) {
        switch type {
        case 0x03, 0x04: add(AudioPart(stream: stream, kind: .mpeg), before)
        case 0x0F: add(AudioPart(stream: stream, kind: .adts), before)
        case 0x11: add(AudioPart(stream: stream, kind: .latm), before)
        case 0x15: tags = tags ?? stream
        case 0xC1, 0xC2, 0xCF: problem = problem ?? .encrypted("SAMPLE-AES")
        default:
            guard let name = Self.name(ofType: type) ?? (type == 6 ? Self.name(in: descriptors) : nil) else { return }
            problem = problem ?? .unsupported("\(name) in a transport stream")
        }
    }

    private mutating func add(_ audio: AudioPart, _ before: Self?) {
        if self.audio == nil || audio == before?.audio { self.audio = audio }
    }

    /// The name of audio that is not supported; nil if the type is something else.
    private static func name(ofType type: UInt8) -> String? {
        switch type {
        case 0x1C: "AAC without headers"
        case 0x2D, 0x2E: "MPEG-H 3D Audio"
        case 0x81: "AC-3"
        case 0x82, 0x85, 0x86, 0x8A: "DTS"
        case 0x83: "TrueHD"
        case 0x84, 0x87: "E-AC-3"
        default: nil
        }
    }

    /// The name of audio in a private stream, as its descriptors give it.
    private static func name(in descriptors: ArraySlice<UInt8>) -> String? {
        var rest = descriptors
        while rest.count >= 2, let tag = rest.first {
            let content = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
            switch tag {
            case 0x6A: return "AC-3"
            case 0x7A: return "E-AC-3"
            case 0x7B: return "DTS"
            case 0x7C: return "AAC in a private stream"
            case 0x05:
                switch String(decoding: content.prefix(4), as: UTF8.self) {
                case "AC-3": return "AC-3"
                case "EAC3": return "E-AC-3"
                case "Opus": return "Opus"
                case "DTS1", "DTS2", "DTS3": return "DTS"
                case "AC-4": return "AC-4"
                case "BSSD": return "PCM"
                case "fLaC": return "FLAC"
                default: break
                }
            default: break
            }
            rest = rest.dropFirst(2 + content.count)
        }
        return nil
    }
}
