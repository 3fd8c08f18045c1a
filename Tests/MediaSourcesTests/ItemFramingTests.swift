// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestTools
import Testing

@testable import MediaSources

/// Files of real encoders, read from their start and from their middle.
struct ItemFramingTests {
    enum Kind: String, CaseIterable, Sendable {
        case mp3, mp2, aac, opus, ogg, flac

        /// The titles in the tags that ffmpeg writes.
        var titles: [String] { self == .mp2 || self == .aac ? [] : ["Tone"] }
    }

    @Test(
        "A file read from its start is complete, and its audible part has the file's length", arguments: Kind.allCases)
    func wholeFile(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 20)
        defer { withExtendedLifetime(folder) {} }
        var framing = try ItemFraming(path, from: .zero)
        #expect(framing.opening.position == Position())
        let (samples, rate, breaks, titles) = try read(&framing)
        #expect(breaks == 0 && titles == kind.titles)
        let seconds = Double(samples) / Double(rate)
        #expect(seconds > 19.95 && seconds < 20.3, "\(seconds)")
        let heard = framing.opening.heard
        if let last = heard.padding?.lowerBound {
            // If the file has the encoder's figures, the length is exact to the sample.
            #expect(last - max(0, heard.first) == Int64(20 * rate), "\(heard)")
        }
        let length = try #require(framing.opening.facts?.length)
        #expect(abs(length.duration.inSeconds - 20) < 0.3)
    }

    @Test(
        "A file read from the middle gives the rest, beginning a little before that position", arguments: Kind.allCases)
    func fromTheMiddle(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 20)
        defer { withExtendedLifetime(folder) {} }
        var framing = try ItemFraming(path, from: .seconds(12))
        let opening = framing.opening
        let rate = try #require(opening.facts?.sampleRate)
        let begins = Double(opening.position.samples) / Double(rate)
        #expect(opening.start == .seconds(12))
        #expect(begins > 10.4 && begins < 11.8, "\(begins)")
        let heard = Double(opening.heard.first) / Double(rate)
        #expect(abs(heard - 12) < 0.1, "\(heard)")
        let (samples, _, breaks, titles) = try read(&framing)
        #expect(breaks <= 1 && titles == kind.titles)
        let rest = Double(samples) / Double(rate)
        // Starting within an Ogg page may cost a second.
        #expect(abs(begins + rest - 20) < (kind == .opus || kind == .ogg ? 1.2 : 0.3), "\(begins) + \(rest)")
    }

    @Test("A file that is no audio is refused") func noAudio() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.mp3", "hello, this is a text and no audio\n")
        #expect(throws: Failure.self) { _ = try ItemFraming(folder.file("a.mp3"), from: .zero) }
        #expect(throws: Failure.self) { _ = try ItemFraming(folder.file("missing.mp3"), from: .zero) }
    }

    @Test("A file whose audio is followed by other data is given up before its end") func audioThatEnds() throws {
        let (folder, path) = try make(.mp3, seconds: 1)
        let whole = try folder.write("long.mp3", try bytes(ofFile: path) + [UInt8](repeating: 0, count: 8 << 20))
        var framing = try ItemFraming(whole, from: .zero)
        var reads = 0
        #expect(throws: Failure.self) {
            while !framing.isOver {
                _ = try framing.next()
                reads += 1
            }
        }
        #expect(framing.hasAudio && reads < 40)
    }

    private func make(_ kind: Kind, seconds: Int) throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        let path = folder.file("a.\(kind.rawValue)")
        let outcome = try ChildProcess(
            .ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"]
                + (kind == .ogg ? ["-c:a", "libvorbis"] : []) + ["-metadata", "title=Tone", path]
        ).wait(within: .seconds(30))
        guard outcome.succeeded else { throw SetupError(outcome.standardError) }
        return (folder, path)
    }

    private func read(_ framing: inout ItemFraming) throws -> (samples: Int64, rate: Int, breaks: Int, titles: [String])
    {
        var (samples, rate, breaks) = (Int64(0), 1, 0)
        var titles: [String] = []
        while !framing.isOver {
            try framing.next().forEach { part, _ in
                switch part {
                case .frame(let facts): samples += Int64(facts.samples)
                case .format(let format): rate = format.sampleRate
                case .resync, .missing: breaks += 1
                case .title(let title, _, _): titles.append(title)
                }
            }
        }
        return (samples, rate, breaks, titles)
    }
}
