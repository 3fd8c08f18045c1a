// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite("Where in a file an instant is")
struct SeekTests {
    @Test(
        "A seek is exact to a frame or page if frames tell their place, and close to it otherwise",
        arguments: SeekFiles.Kind.allCases)
    func seek(kind: SeekFiles.Kind) throws {
        let bytes = try SeekFiles().make(kind)
        let facts = try #require(SeekFiles.inspect(bytes, kind.container))
        let frames = SeekFiles.frames(bytes, kind.container)
        let lead = facts.trim.start
        let rate = Int64(facts.sampleRate)
        var random = SplitMix64(seed: 9)
        for _ in 0..<25 {
            let target = Int64.random(in: 1..<29 * rate, using: &random)
            let (place, reads) = try #require(SeekFiles.seek(bytes, facts, to: target))
            #expect(reads <= 12, "\(reads)")
            switch kind {
            case .opus, .vorbis, .oggFLAC:
                // Pages written by ffmpeg hold a second at most.
                #expect(place.sample <= target && place.sample > target - 2 * rate)
                #expect(bytes[Int(place.offset)...].starts(with: "OggS".utf8))
            case .variable, .average, .mono, .adts:
                // The true instant of the frame that was found.
                let frame = try #require(frames.first { $0.offset == place.offset }, "\(place)")
                #expect(abs(frame.sample - lead - target) < rate * 2, "\(frame.sample) \(target)")
            case .constant, .bare, .layer2, .flac:
                let frame = try #require(frames.first { $0.offset == place.offset }, "\(place)")
                #expect(frame.sample - lead == place.sample, "\(frame.sample) \(place)")
                #expect(place.sample <= target && place.sample > target - 4_700)
            }
        }
    }

    @Test(
        "A seek to the start finds the start, and a seek beyond the end finds the end",
        arguments: SeekFiles.Kind.allCases)
    func ends(kind: SeekFiles.Kind) throws {
        let bytes = try SeekFiles().make(kind)
        let facts = try #require(SeekFiles.inspect(bytes, kind.container))
        for sample in [0, -1, Int64.min] {
            let (place, reads) = try #require(SeekFiles.seek(bytes, facts, to: sample))
            #expect(place.offset == facts.audioStart && reads == 0)
            #expect(place.sample == (kind.container == .mpeg ? -facts.trim.start : -Int64(facts.preSkip)))
        }
        let (place, _) = try #require(SeekFiles.seek(bytes, facts, to: .max))
        #expect(place.offset > Int64(bytes.count * 9 / 10) && place.offset <= Int64(bytes.count))
    }

    @Test(
        "A seek in a file that is half there finds the part that is there",
        arguments: [SeekFiles.Kind.constant, .vorbis, .flac])
    func growing(kind: SeekFiles.Kind) throws {
        let bytes = try SeekFiles().make(kind)
        let there = Array(bytes[..<(bytes.count / 2)])
        let facts = try #require(SeekFiles.inspect(bytes, kind.container))
        let (place, _) = try #require(SeekFiles.seek(there, facts, to: 5 * Int64(facts.sampleRate)))
        #expect(place.sample <= 5 * Int64(facts.sampleRate) && place.sample > 3 * Int64(facts.sampleRate))
    }
}
