// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestTools
import Testing

@testable import MediaSources

/// Files of real encoders, read from their start and from their middle.
struct ItemFramingTests {
    enum Kind: String, CaseIterable, Sendable {
        /// `m4a` has its movie box behind the audio, `m4b` in front of it.
        case mp3, mp2, aac, opus, ogg, flac, m4a, m4b, wav, aiff

        /// The titles in the tags that ffmpeg writes.
        var titles: [String] { [.mp2, .aac, .wav, .aiff].contains(self) ? [] : ["Tone"] }
    }

    @Test(
        "A file read from its start is complete, and its audible part has the file's length", arguments: Kind.allCases)
    func wholeFile(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 20)
        defer { withExtendedLifetime(folder) {} }
        let framing = try ItemFraming(path, from: .zero)
        #expect(framing.opening.position == Position())
        let (samples, rate, breaks, titles) = try read(framing)
        #expect(breaks == 0 && titles == kind.titles)
        let seconds = Double(samples) / Double(rate)
        #expect(seconds > 19.95 && seconds < 20.3, "\(seconds)")
        let heard = framing.opening.heard
        if let last = heard.padding?.lowerBound {
            // If the file has the encoder's figures, the length is exact to the sample.
            #expect(last - max(0, heard.first) == Int64(20 * rate), "\(heard)")
        }
        let length = try #require(framing.opening.facts?.length)
        #expect(abs(length.inSeconds - 20) < 0.3)
    }

    @Test(
        "A file read from the middle gives the rest, beginning a little before that position", arguments: Kind.allCases)
    func fromTheMiddle(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 20)
        defer { withExtendedLifetime(folder) {} }
        let framing = try ItemFraming(path, from: .seconds(12))
        let opening = framing.opening
        let rate = try #require(opening.facts?.sampleRate)
        let begins = Double(opening.position.samples) / Double(rate)
        #expect(opening.start == .seconds(12))
        #expect(begins > 10.4 && begins < 11.8, "\(begins)")
        let heard = Double(opening.heard.first) / Double(rate)
        #expect(abs(heard - 12) < 0.1, "\(heard)")
        let (samples, _, breaks, titles) = try read(framing)
        #expect(breaks <= 1 && titles == kind.titles)
        let rest = Double(samples) / Double(rate)
        // Starting within an Ogg page may cost a second.
        #expect(abs(begins + rest - 20) < (kind == .opus || kind == .ogg ? 1.2 : 0.3), "\(begins) + \(rest)")
    }

    @Test(
        "A file that has just been written is waited for only if it does not say that it is whole",
        arguments: Kind.allCases)
    func freshFile(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 2)
        try folder.age("a.\(kind.rawValue)", 0)
        let framing = try ItemFraming(path, from: .zero)
        while !framing.isOver, !framing.isWaiting { _ = try framing.read() }
        #expect(framing.isWaiting == (kind == .mp2 || kind == .aac))
    }

    @Test(
        "A download is waited for, and has the length that its head announces; a file that was cut off has not",
        arguments: [Kind.mp3, .flac], [true, false])
    func unfinished(kind: Kind, isFresh: Bool) throws {
        let (folder, path) = try make(kind, seconds: 20)
        let whole = try bytes(ofFile: path)
        let name = "b.\(kind.rawValue)"
        try folder.write(name, Array(whole[..<(whole.count / 2)]))
        try folder.age(name, isFresh ? 30 : 300)
        let framing = try ItemFraming(folder.file(name), from: .zero)
        let length = try #require(framing.opening.length).inSeconds
        if kind == .mp3 { #expect(abs(length - (isFresh ? 20 : 10)) < 0.5, "\(length)") }
        var frames = 0
        while !framing.isOver, !framing.isWaiting { frames += try framing.read().frames }
        #expect(framing.isWaiting == isFresh)
        guard isFresh else { return }
        let rest = open(folder.file(name), O_WRONLY | O_APPEND)
        _ = whole[(whole.count / 2)...].withUnsafeBytes { write(rest, $0.baseAddress, $0.count) }
        close(rest)
        repeat { frames += try framing.read().frames } while !framing.isWaiting
        let complete = try ItemFraming(path, from: .zero)
        var missing = -frames
        while !complete.isOver { missing += try complete.read().frames }
        // The last frame may end only where the file does, and a file that has just grown is waited for.
        #expect((0...1).contains(missing))
    }

    @Test("The title of a tag at the file's end counts if there is no other", arguments: [true, false])
    func lastTag(hasOther: Bool) throws {
        let (folder, path) = try make(.mp3, seconds: 2)
        var bytes = try bytes(ofFile: path)
        if !hasOther { bytes.removeFirst(10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }) }
        func field(_ text: String) -> [UInt8] {
            let bytes = text.unicodeScalars.map { UInt8($0.value) }
            return bytes + [UInt8](repeating: 0, count: 30 - bytes.count)
        }
        let tag = Array("TAG".utf8) + field("Fünf &amp; Co") + field("Ann") + [UInt8](repeating: 0, count: 65)
        for start in [Duration.zero, .seconds(1)] {
            let framing = try ItemFraming(try folder.write("b.mp3", bytes + tag), from: start)
            #expect(try read(framing).titles == [hasOther ? "Tone" : "Ann - Fünf & Co"])
        }
        #expect(try FileReader(folder.file("b.mp3")).lastTitle == "Ann - Fünf &amp; Co")
        #expect(try FileReader(path).lastTitle == nil)
    }

    @Test(
        "An M4A file yields the frames that FFmpeg takes out of it, and is sought exactly", arguments: [Kind.m4a, .m4b])
    func movie(kind: Kind) throws {
        let (folder, path) = try make(kind, seconds: 20)
        let reference = folder.file("reference.aac")
        let outcome = try ChildProcess(.ffmpeg, ["-v", "error", "-i", path, "-c", "copy", reference])
            .wait(within: .seconds(30))
        #expect(outcome.succeeded)
        let whole = try played(path, from: .zero)
        #expect(whole.bytes == (try bytes(ofFile: reference)))
        for start in [0.5, 3, 12, 19.9] {
            let opening = try ItemFraming(path, from: .seconds(start)).opening
            let frame = Int(opening.position.samples) / 1024
            #expect(Array(whole.frames[frame...]) == (try played(path, from: .seconds(start))).frames)
            // The decoder gets 0.4 s before the position, and a frame of which a part belongs to that.
            let early = opening.heard.first - opening.position.samples
            #expect((17_640..<17_640 + 1_024).contains(early) || start < 1, "\(early)")
        }
        #expect(try ItemFraming(path, from: .zero).opening.length == .seconds(20))
    }

    @Test("A fragmented M4A file is played from its start, and one of another codec is named")
    func otherMovies() throws {
        let folder = try TemporaryFolder()
        for (name, options) in [
            ("a.m4a", ["-c:a", "aac", "-movflags", "cmaf"]), ("b.m4a", ["-c:a", "alac"]),
            ("c.m4a", ["-c:a", "alac", "-movflags", "faststart"]),
        ] {
            let outcome = try ChildProcess(
                .ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=duration=5"] + options + [folder.file(name)]
            ).wait(within: .seconds(30))
            #expect(outcome.succeeded)
        }
        let parts = try played(folder.file("a.m4a"), from: .seconds(3))
        #expect(parts.frames.count >= 215 && parts.resyncs == 0)
        for name in ["b.m4a", "c.m4a"] {
            let failure = #expect(throws: Failure.self) { _ = try played(folder.file(name), from: .zero) }
            #expect(failure?.message.contains("ALAC in MP4 is not supported") == true, "\(failure?.message ?? "")")
        }
    }

    private func played(_ path: String, from start: Duration) throws -> PlayedParts {
        let framing = try ItemFraming(path, from: start)
        let parts = PlayedParts()
        while !framing.isOver { try framing.read().pass(to: parts) }
        return parts
    }

    @Test("A list of an HLS stream is named") func hls() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n")
        let failure = #expect(throws: Failure.self) { _ = try ItemFraming(path, from: .zero) }
        #expect(failure?.message.contains("HLS") == true)
    }

    @Test("A WebM or Matroska file is named, and what to do about it", arguments: ["webm", "mka"])
    func matroska(kind: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.\(kind)")
        let outcome = try ChildProcess(
            .ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "libopus", path]
        ).wait(within: .seconds(30))
        #expect(outcome.succeeded)
        let failure = #expect(throws: Failure.self) { _ = try ItemFraming(path, from: .zero) }
        #expect(failure?.failureClass == .unsupported && failure?.message.contains("Matroska or WebM") == true)
        #expect(failure?.remedy.contains("convert it to MP3, Ogg, FLAC or AAC") == true)
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
        let framing = try ItemFraming(whole, from: .zero)
        var reads = 0
        #expect(throws: Failure.self) {
            while !framing.isOver {
                _ = try framing.read()
                reads += 1
            }
        }
        #expect(reads > 0 && reads < 40)
    }

    private func make(_ kind: Kind, seconds: Int) throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        let path = folder.file("a.\(kind.rawValue)")
        let outcome = try ChildProcess(
            .ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"]
                + (kind == .ogg ? ["-c:a", "libvorbis"] : [])
                + (kind == .m4b ? ["-movflags", "faststart"] : []) + ["-metadata", "title=Tone", path]
        ).wait(within: .seconds(30))
        guard outcome.succeeded else { throw SetupError(outcome.standardError) }
        // A fresh file of some kinds may still be growing.
        if kind == .mp2 || kind == .aac { try folder.age("a.\(kind.rawValue)", 60) }
        return (folder, path)
    }

    private func read(_ framing: ItemFraming) throws -> (samples: Int64, rate: Int, breaks: Int, titles: [String]) {
        var (samples, rate, breaks) = (Int64(0), 1, 0)
        var titles: [String] = []
        while !framing.isOver {
            try framing.read().forEach { run in
                switch run {
                case .frames(let batch, _): for index in 0..<batch.count { samples += Int64(batch[index].samples) }
                case .part(.format(let format)): rate = format.sampleRate
                case .part(.resync), .part(.missing): breaks += 1
                case .part(.title(let title, _, _)): titles.append(title)
                }
            }
        }
        return (samples, rate, breaks, titles)
    }
}
