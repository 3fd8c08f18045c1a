// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite("How long files play")
struct FileLengthTests {
    private let files: SeekFiles

    init() throws { files = try SeekFiles() }

    private func seconds(_ length: Duration?) -> Double {
        guard let (seconds, attoseconds) = length?.components else { return -1 }
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private func tag(_ bytes: Int) -> [UInt8] {
        let size = [21, 14, 7, 0].map { UInt8(bytes >> $0 & 0x7F) }
        return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0, count: bytes)
    }

    @Test("The length of a file agrees with what ffmpeg decodes", arguments: SeekFiles.Kind.allCases)
    func length(kind: SeekFiles.Kind) throws {
        let bytes = try files.make(kind)
        let facts = try #require(SeekFiles.inspect(bytes, kind.container))
        let found = seconds(facts.length)
        let wanted = try Double(files.decoded(bytes, kind)) / Double(facts.sampleRate)
        let tolerance =
            switch kind {
            case .constant, .variable, .average, .mono, .opus, .vorbis, .oggFLAC, .flac: 0.001
            // Without a count of frames or samples, the bit rate decides.
            case .bare, .layer2: 0.06
            case .adts: 1.5
            }
        #expect(abs(found - wanted) <= tolerance, "\(found) \(wanted)")
    }

    @Test(
        "Tags before and behind the audio, also with a large picture, do not change the length of a file",
        arguments: SeekFiles.Kind.allCases)
    func tags(kind: SeekFiles.Kind) throws {
        guard kind.container != .ogg else { return }
        let bytes = try files.make(kind)
        let plain = try #require(SeekFiles.inspect(bytes, kind.container))
        var behind = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        if kind.container != .flac {
            let size: [UInt8] = [0x84, 3, 0, 0]
            behind =
                [UInt8](repeating: 7, count: 900 - 32) + Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + size
                + [UInt8](repeating: 0, count: 16) + behind
        }
        let front = tag(3_000_000) + tag(100)
        let tagged = try #require(SeekFiles.inspect(front + bytes + behind, kind.container))
        #expect(tagged.audioStart == plain.audioStart + Int64(front.count))
        // The file's own tag, if it has one, moves the start of the audio but does not change its length.
        #expect(abs(seconds(tagged.length) - seconds(plain.length)) < 0.001)
    }

    @Test("A file that was cut off plays for as long as its remaining bytes", arguments: SeekFiles.Kind.allCases)
    func truncated(kind: SeekFiles.Kind) throws {
        let bytes = try files.make(kind)
        let half = Array(bytes[..<(bytes.count / 2)])
        let facts = try #require(SeekFiles.inspect(half, kind.container))
        let wanted = try Double(files.decoded(half, kind)) / Double(facts.sampleRate)
        let found = seconds(facts.length)
        // The head of a FLAC file does not reveal that audio is missing.
        if kind == .flac {
            #expect(abs(found - 30) < 0.001)
        } else {
            #expect(abs(found - wanted) < (kind.container == .ogg ? 1.1 : 1.5), "\(found) \(wanted)")
        }
    }

    @Test(
        "A file whose head describes only its beginning plays as long as its bytes, and can be sought beyond that",
        arguments: [SeekFiles.Kind.constant, .variable], [true, false])
    func joined(kind: SeekFiles.Kind, statesBytes: Bool) throws {
        var bytes = try files.make(kind)
        if !statesBytes {
            // Takes the flag and the figure out of the info frame; without them, the beginning's size is unknown.
            guard kind == .constant else { return }
            let tag = try #require(bytes.firstRange(of: Array("Info".utf8))).upperBound
            bytes[tag + 3] = 1
        }
        let joined = bytes + bytes + bytes
        let facts = try #require(SeekFiles.inspect(joined, kind.container))
        #expect(abs(seconds(facts.length) - 90) < 1, "\(seconds(facts.length))")
        let (place, _) = try #require(SeekFiles.seek(joined, facts, to: 75 * Int64(facts.sampleRate)))
        let share = Double(place.offset) / Double(joined.count)
        #expect(abs(share - 75.0 / 90) < 0.03, "\(place)")
    }

    @Test("The length of a file whose bit rate varies is measured all over the file if reads are cheap")
    func measured() throws {
        // Silence, which needs few bits, for as long as the music after it.
        let encoder = files.encoder
        let path = try encoder.write("measured.mp3", [])
        try encoder.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=stereo:d=40", "-f", "lavfi", "-i",
                "anoisesrc=r=44100:d=40", "-filter_complex", "[0][1]concat=n=2:v=0:a=1", "-c:a", "libmp3lame", "-q:a",
                "4", "-write_xing", "0", "-id3v2_version", "0", path,
            ])
        let bytes = try encoder.read("measured.mp3")
        for isThorough in [false, true] {
            var inspection = FileInspection(.mpeg, size: Int64(bytes.count), isThorough: isThorough)
            while let read = inspection.next() {
                let end = min(bytes.count, Int(read.offset) + read.count)
                bytes[Int(read.offset)..<end].withUnsafeBytes { inspection.take($0) }
            }
            let found = seconds(inspection.facts?.length)
            #expect((abs(found - 80) < 8) == isThorough, "\(found)")
        }
    }

    @Test("A file that still grows has its final length if its head states it")
    func growing() throws {
        for kind in [SeekFiles.Kind.constant, .variable, .bare, .flac] {
            let bytes = try files.make(kind)
            let there = Array(bytes[..<100_000])
            let facts = try #require(SeekFiles.inspect(there, kind.container, size: Int64(bytes.count)))
            #expect(abs(seconds(facts.length) - 30) < 0.1, "\(kind)")
        }
        // The end of the Ogg file is missing, and its bit rate is unknown.
        let ogg = try files.make(.vorbis)
        let there = Array(ogg[..<100_000])
        #expect(SeekFiles.inspect(there, .ogg, size: Int64(ogg.count))?.length == nil)
        #expect(SeekFiles.inspect(there, .ogg, size: nil)?.sampleRate == 44_100)
        #expect(SeekFiles.inspect(Array(try files.make(.bare)[..<100_000]), .mpeg, size: nil)?.length == nil)
    }

    @Test("A frame count that is impossible for the size of a file is ignored")
    func lie() throws {
        let bytes = try SeekFiles().make(.constant)
        let candidate = try #require(bytes.indices.first { bytes[$0...].starts(with: "Info".utf8) })
        for count in [1, 100_000, 4_000_000_000] {
            var changed = bytes
            for place in 0..<4 { changed[candidate + 8 + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place)) }
            let length = SeekFiles.inspect(changed, .mpeg)?.length
            #expect(abs(seconds(length) - 30) < 0.1, "\(length as Any)")
        }
    }

    @Test("A FLAC file whose head has no sample count is as long as its last frame says")
    func flacWithoutCount() throws {
        var bytes = try SeekFiles().make(.flac)
        for place in 22...25 { bytes[place] = 0 }
        bytes[21] &= 0xF0
        let facts = try #require(SeekFiles.inspect(bytes, .flac))
        #expect(abs(seconds(facts.length) - 30) < 0.001)
    }

    @Test("A chain of Ogg links is recognised, and neither its length nor its places are guessed")
    func chain() throws {
        let (vorbis, opus) = (try files.make(.vorbis), try files.make(.opus))
        for (bytes, isChained) in [(vorbis, false), (vorbis + opus, true), (opus + vorbis, true)] {
            let facts = try #require(SeekFiles.inspect(bytes, .ogg))
            #expect(facts.isChained == isChained)
            #expect((facts.length == nil) == isChained)
            let (place, reads) = try #require(SeekFiles.seek(bytes, facts, to: 20 * Int64(facts.sampleRate)))
            #expect((place.offset == facts.audioStart && reads == 0) == isChained)
        }
        // A short link is noticed even if its serial number is the same.
        let short = Array(vorbis[..<20_000])
        #expect(SeekFiles.inspect(short + short, .ogg)?.isChained == true)
        #expect(SeekFiles.inspect(short, .ogg)?.isChained == false)
    }

    @Test("Input that is no audio has no length, and any bytes can be inspected safely")
    func hostile() throws {
        for container in Container.allCases {
            #expect(SeekFiles.inspect([], container) == nil)
            #expect(SeekFiles.inspect([UInt8](repeating: 0, count: 500_000), container) == nil)
        }
        var random = SplitMix64(seed: 3)
        for kind in SeekFiles.Kind.allCases {
            let whole = Array(try files.make(kind).prefix(60_000))
            for _ in 0..<20 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    let limit = Bool.random(using: &random) ? min(bytes.count, 2_000) : bytes.count
                    bytes[Int.random(in: 0..<limit, using: &random)] = UInt8(truncatingIfNeeded: random.next())
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
                let lies: [Int64?] = [nil, 0, 1, .max, 1 << 40]
                let size =
                    Bool.random(using: &random) ? Int64(bytes.count) : lies[Int.random(in: 0..<5, using: &random)]
                guard let facts = SeekFiles.inspect(bytes, kind.container, size: size) else { continue }
                _ = facts.length
                for sample in [0, 1, 50_000, Int64.max, .min] {
                    let place = SeekFiles.seek(bytes, facts, to: sample)
                    #expect(place.map { $0.reads <= 50 && $0.0.offset >= 0 } == true, "\(kind)")
                }
            }
        }
    }
}
