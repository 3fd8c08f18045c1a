// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// Files of real encoders, and how inspection and seeking read them.
final class SeekFiles {
    let encoder: RealEncoder

    init() throws { encoder = try RealEncoder() }

    enum Kind: String, CaseIterable, Sendable {
        case constant, variable, average, mono, bare, layer2, adts, opus, vorbis, flac, oggFLAC

        var container: Container {
            switch self {
            case .constant, .variable, .average, .mono, .bare, .layer2: .mpeg
            case .adts: .adts
            case .opus, .vorbis, .oggFLAC: .ogg
            case .flac: .flac
            }
        }

        var fileName: String {
            switch self {
            case .constant, .variable, .average, .mono, .bare: "x.mp3"
            case .layer2: "x.mp2"
            case .adts: "x.aac"
            case .opus: "x.opus"
            case .vorbis, .oggFLAC: "x.ogg"
            case .flac: "x.flac"
            }
        }

        var channels: Int { self == .mono ? 1 : 2 }
        var rate: Int { self == .mono ? 22_050 : self == .opus ? 48_000 : 44_100 }

        var options: [String] {
            switch self {
            case .constant: ["-c:a", "libmp3lame", "-b:a", "128k"]
            case .variable: ["-c:a", "libmp3lame", "-q:a", "4"]
            case .average: ["-c:a", "libmp3lame", "-abr", "1", "-b:a", "112k"]
            case .mono: ["-c:a", "libmp3lame", "-q:a", "6"]
            case .bare: ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"]
            case .layer2: ["-c:a", "mp2", "-b:a", "192k"]
            case .adts: ["-c:a", "aac", "-b:a", "96k"]
            case .opus: ["-c:a", "libopus", "-b:a", "64k"]
            case .vorbis: ["-c:a", "libvorbis", "-q:a", "3"]
            case .flac, .oggFLAC: ["-c:a", "flac"]
            }
        }
    }

    static let seconds = 30

    /// A file of ``seconds``; all files are made once.
    func make(_ kind: Kind) throws -> [UInt8] { try Self.made.get()[kind] ?? [] }

    private static let made = Result {
        let encoder = try RealEncoder()
        var files: [Kind: [UInt8]] = [:]
        for kind in Kind.allCases {
            files[kind] = try encoder.encode(
                kind.fileName, seconds: seconds, rate: kind.rate, channels: kind.channels, ["-y"] + kind.options)
        }
        return files
    }

    /// How many samples ffmpeg decodes from these bytes.
    func decoded(_ bytes: [UInt8], _ kind: Kind) throws -> Int {
        let path = try encoder.write("decoded-\(kind.fileName)", bytes)
        try encoder.run("ffmpeg", ["-v", "error", "-y", "-i", path, "-f", "s16le", "-ac", "1", path + ".raw"])
        return try encoder.read("decoded-\(kind.fileName).raw").count / 2
    }

    /// Inspects a file as a player would; `size` is its known final size.
    static func inspect(_ bytes: [UInt8], _ container: Container, size: Int64?) -> AudioFileFacts? {
        var inspection = FileInspection(container, size: size)
        var reads = 0
        while let read = inspection.next(), reads < 100 {
            reads += 1
            part(of: bytes, read).withUnsafeBytes { inspection.take($0) }
        }
        return reads <= 16 ? inspection.facts : nil
    }

    static func inspect(_ bytes: [UInt8], _ container: Container) -> AudioFileFacts? {
        inspect(bytes, container, size: Int64(bytes.count))
    }

    /// The place of a sample, and the number of reads needed to find it.
    static func seek(_ bytes: [UInt8], _ facts: AudioFileFacts, to sample: Int64) -> (SeekPlace, reads: Int)? {
        var search = SeekEstimate(facts, to: sample)
        var reads = 0
        while let read = search.next(), reads < 100 {
            reads += 1
            part(of: bytes, read).withUnsafeBytes { search.take($0) }
        }
        return search.place.map { ($0, reads) }
    }

    private static func part(of bytes: [UInt8], _ read: FileRead) -> ArraySlice<UInt8> {
        let start = Int(min(max(0, read.offset), Int64(bytes.count)))
        return bytes[start..<min(bytes.count, start + read.count)]
    }

    /// The place of each frame in a file, and its first sample as the framer counts.
    static func frames(_ bytes: [UInt8], _ container: Container) -> [(offset: Int64, sample: Int64)] {
        var sample: Int64 = 0
        return FramerTranscript(of: [bytes[...]], by: container.makeFramer()).frames.map { frame in
            defer { sample += Int64(frame.samples) }
            return (frame.offset, sample)
        }
    }
}
