// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// The last whole frame before bytes that are not audio.
struct LastFrameTests {
    /// Bytes that may follow the last frame of a file.
    struct Ending: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]

        static let ofFiles: [Ending] = {
            var random = SplitMix64(seed: 70)
            // An APEv1 tag has no header. Its sizes, flags and names come first, then its footer.
            let item = [11, 0, 0, 0, 0, 0, 0, 0] + Array("Title\0Some title!".utf8)
            let footer =
                Array("APETAGEX".utf8) + [0xe8, 3, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0]
                + [UInt8](repeating: 0, count: 12)
            let lyrics = Array("LYRICSBEGININD0000200LYR00020[00:01]some words\r\n000047LYRICS200".utf8)
            let id3v1 = Array("TAGA title".utf8) + [UInt8](repeating: 0, count: 118)
            return [
                Ending(testDescription: "nothing", bytes: []),
                Ending(testDescription: "APEv1", bytes: item + footer),
                Ending(testDescription: "APEv1 and ID3v1", bytes: item + footer + id3v1),
                Ending(testDescription: "Lyrics3", bytes: lyrics),
                Ending(testDescription: "Lyrics3 and ID3v1", bytes: lyrics + id3v1),
                Ending(testDescription: "a newline", bytes: [10]),
                Ending(testDescription: "two line ends", bytes: [13, 10, 13, 10]),
                Ending(testDescription: "zeros", bytes: [UInt8](repeating: 0, count: 100)),
                Ending(testDescription: "many zeros", bytes: [UInt8](repeating: 0, count: 9000)),
                Ending(testDescription: "junk", bytes: random.bytes(300).map { $0 == 0xff ? 0 : $0 }),
                Ending(
                    testDescription: "a page",
                    bytes: Array(String(repeating: "<p>Not found</p>\r\n", count: 200).utf8)),
            ]
        }()
    }

    @Test("B12: The last frame of a file is kept, whatever follows it", arguments: Ending.ofFiles)
    func lastOfFile(_ ending: Ending) async throws {
        for parameters in [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 3), .init(.mp3Variable(quality: 4), seconds: 3),
            .init(.mp2(192), sampleRate: 48_000, seconds: 3), .init(.aac(128), seconds: 3),
        ] {
            let frames = try await Self.sharpFrames(parameters)
            let bytes = frames.flatMap { $0 } + ending.bytes
            func check(_ makeFramer: () -> some Framer) {
                let said = expectSameEvents(bytes, twoPieceSplits: 8, randomSplits: 3, truncations: 2, by: makeFramer)
                #expect(said.frames.map(\.bytes) == frames, "\(parameters.encoding)")
            }
            if parameters.encoding.container == .adts { check { ADTSFramer() } } else { check { MPEGAudioFramer() } }
        }
    }

    @Test("B12: The last whole frame before half a frame is kept", arguments: [0.1, 0.5, 0.9])
    func beforeHalfFrame(_ part: Double) async throws {
        for parameters in [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 3), .init(.mp3Variable(quality: 4), seconds: 3),
        ] {
            let frames = try await Self.sharpFrames(parameters)
            let half = Int(Double(frames[30].count) * part)
            for rest in [frames[30].prefix(half), frames[30].suffix(half)] {
                let said = expectSameEvents(frames.flatMap { $0 } + rest, twoPieceSplits: 8, randomSplits: 3)
                #expect(said.frames.map(\.bytes) == frames)
            }
        }
    }

    @Test(
        "B12: The last frame before another file is kept, also before tags, line ends, zeros and pages",
        arguments: Ending.ofFiles)
    func betweenFiles(_ ending: Ending) async throws {
        // Bytes without recognisable content might be the rest of another frame.
        guard ending.testDescription != "junk" else { return }
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "x")]).encoded(size: 3_000)
        for parameters in [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 3), .init(.mp3Variable(quality: 4), seconds: 3),
            .init(.aac(128), seconds: 3),
        ] {
            let frames = try await Self.sharpFrames(parameters)
            for beginning in [[], tag] {
                let bytes = frames.flatMap { $0 } + ending.bytes + beginning + frames.flatMap { $0 }
                func check(_ makeFramer: () -> some Framer) {
                    let said = expectSameEvents(
                        bytes, twoPieceSplits: 4, randomSplits: 2, truncations: 2, by: makeFramer)
                    #expect(said.frames.map(\.bytes) == frames + frames, "\(parameters.encoding), \(beginning.count)")
                }
                if parameters.encoding.container == .adts {
                    check { ADTSFramer() }
                } else {
                    check { MPEGAudioFramer() }
                }
            }
        }
    }

    @Test("B12: Halves of two frames are no frame, also if the second ends in line ends or zeros")
    func twoHalves() async throws {
        let frames = try await Self.sharpFrames(.init(.mp3(128), seconds: 3))
        let (length, first) = (frames[9].count, 200)
        let (before, after) = (frames[..<9].flatMap { $0 }, frames[11..<30].flatMap { $0 })
        let whole = frames[..<9] + frames[11..<30]
        for ending: [UInt8] in [[10], [13, 10], [0], [UInt8](repeating: 0, count: 90), [10, 0x41]] {
            let second = frames[10].dropLast(ending.count + 1) + [0x90] + ending
            for rest in 1..<second.count {
                // By chance, the first half's frame may end where the second half ends, or where its ending begins.
                if [length, length + ending.count].contains(first + rest) { continue }
                let bytes = before + frames[9].prefix(first) + second.suffix(rest) + after
                let said = FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer())
                #expect(said.hasFrames(whole), "\(ending.count), \(rest)")
            }
        }
    }

    /// Frames of which the last one ends with a byte that is neither text nor zero.
    private static func sharpFrames(_ parameters: ReferenceProgramme.Parameters) async throws -> [[UInt8]] {
        var frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
        while frames.last?.last.map({ $0 < 0x80 }) ?? false { frames.removeLast() }
        return frames
    }
}
