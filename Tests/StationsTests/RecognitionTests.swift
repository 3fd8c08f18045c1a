// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// What a body is recognized as, from its first bytes on.
struct RecognitionTests {
    /// Frames of random bytes, with real headers.
    private static let audio = SampleProgramme(120).bytes

    /// A warning as scripts send it before the audio.
    private static func warning(_ times: Int) -> [UInt8] {
        let text =
            "<br />\n<b>Warning</b>:  fopen(): php_network_getaddresses failed in <b>/srv/x.php</b> on line <b>7</b>\n"
        return Array(String(repeating: text, count: times).utf8)
    }

    private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return random.bytes(count)
    }

    static let bodies: [(name: String, bytes: [UInt8], isAudio: Bool)] = [
        ("audio", audio, true), ("audio from the middle", Array(audio.dropFirst(200)), true),
        ("a warning", warning(1) + audio, true), ("many warnings", warning(60) + audio, true),
        ("lines of text", Array("Notice: undefined\n".utf8) + audio, true),
        ("what begins as JSON does", Array("{\"error\": \"no such file, none at all\"}".utf8) + audio, true),
        ("what begins as an array does", Array("[1, 2, 3] is what was given, and no more".utf8) + audio, true),
        ("text without end", Array(String(repeating: "words, words ", count: 2_000).utf8), false),
        ("JSON", Array("{\"error\": \"no such mount point on this server\"}".utf8), false),
        ("a page", Array("<html><body>A page that says that the station is off the air</body>".utf8) + audio, false),
        ("a playlist", Array("#EXTM3U\nhttp://radio.example/one\nhttp://radio.example/two\n".utf8), false),
        ("noise", noise(20_000, seed: 3), true), ("noise before audio", noise(9_000, seed: 4) + audio, true),
        ("nothing", [], true),
    ]

    @Test("An address that sends WebM is named, and what to look for", arguments: ["audio/webm", "audio/mpeg"])
    func matroska(type: String) throws {
        let station = VirtualStation.byHand()
        let connection = try station.connection(0)
        connection.receiveHead(interval: nil, type: type)
        connection.receive(([0x1a, 0x45, 0xdf, 0xa3, 0x9f] + Self.noise(20_000, seed: 5))[...])
        station.reactor.settle()
        let failure = try #require(station.heard.failures.first ?? station.heard.failure)
        #expect(failure.failureClass == .unsupported && failure.message.contains("Matroska or WebM"), "\(failure)")
        #expect(failure.remedy.contains("MP3, AAC or Ogg"))
    }

    @Test("B30: A body is recognized as the same, with the same frames, however it is split", arguments: bodies.indices)
    func splits(_ index: Int) {
        let (name, bytes, isAudio) = Self.bodies[index]
        let whole = PathTranscript(bytes, cuts: [])
        #expect((whole.refusal == nil) == isAudio, "\(name): \(String(describing: whole.refusal))")
        #expect(isAudio || bytes.starts(with: whole.prefix))
        var random = SplitMix64(seed: UInt64(index))
        for longest in [1, 40, 1_460, 20_000] {
            var cuts: [Int] = []
            while let next = Optional((cuts.last ?? 0) + Int.random(in: 1...longest, using: &random)),
                next < bytes.count
            {
                cuts.append(next)
            }
            #expect(PathTranscript(bytes, cuts: cuts).isSame(as: whole), "\(name), pieces of \(longest)")
        }
    }

    @Test("B30: Text before audio is skipped, and none of the audio is lost")
    func textBeforeAudio() {
        for times in [1, 3, 20, 100] {
            let text = Self.warning(times)
            let heard = PathTranscript(text + Self.audio, cuts: [1_000])
            #expect(heard.frames.joined().elementsEqual(Self.audio), "\(text.count) bytes of text")
            #expect(heard.skipped == text.count)
        }
    }

    @Test("B30: Text before audio is skipped if metadata blocks lie between, too")
    func withMetadata() {
        let body = InterleavedBody((Self.warning(20) + Self.audio)[...], interval: 1_000)
        let whole = PathTranscript(body.bytes, cuts: [], interval: 1_000)
        #expect(whole.frames.joined().elementsEqual(Self.audio))
        #expect(PathTranscript(body.bytes, cuts: Array(1..<20_000), interval: 1_000).isSame(as: whole))
    }

    @Test("B31: A file joined anywhere in its cover is recognized by its content type", arguments: Cover.all)
    func joinsInCovers(_ cover: Cover) {
        let audio = SampleProgramme(60).bytes
        var random = SplitMix64(seed: 31)
        for join in 0..<60 {
            // Every third join is exactly at the beginning of the cover.
            let mark: [UInt8] = join % 3 > 0 ? [] : cover.mark
            let picture = mark + cover.bytes(Int.random(in: 200...24_000, using: &random), seed: UInt64(join))
            let heard = PathTranscript(picture + audio, cuts: [], isComplete: false)
            #expect(heard.refusal == nil, "\(cover), join \(join): \(String(describing: heard.refusal))")
            // All frames are delivered but the last, which has no successor.
            let isWhole = FrameList.areEqual(heard.frames.flatMap { $0 }[...], audio.dropLast(417))
            #expect(isWhole, "\(cover), join \(join): \(heard.frames.count) frames")
        }
    }

    @Test(
        "B31: A cover of a megabyte, joined anywhere, is skipped if the content type says audio", arguments: Cover.all)
    func joinsInLargeCovers(_ cover: Cover) {
        let audio = SampleProgramme(60).bytes
        let picture = cover.bytes(1 << 20, seed: 32)
        for join in Self.joins(in: picture.count, seed: 34) {
            let heard = PathTranscript(Array(picture[join...]) + audio, cuts: [], isComplete: false)
            #expect(heard.refusal == nil, "\(cover), from \(join): \(String(describing: heard.refusal))")
            let isWhole = FrameList.areEqual(heard.frames.flatMap { $0 }[...], audio.dropLast(417))
            #expect(isWhole, "\(cover), from \(join): \(heard.frames.count) frames")
        }
    }

    @Test("B31: A body without a content type is audio only if the first look finds some", arguments: Cover.all)
    func untypedLargeCovers(_ cover: Cover) {
        let audio = SampleProgramme(60).bytes
        let picture = cover.bytes(1 << 20, seed: 32)
        // The audio must begin early enough for some of its frames to be in the first look.
        let lastJoins = [15_000, 12_000, 5_000, 700].map { picture.count - $0 }
        for join in Self.joins(in: picture.count, seed: 35) + lastJoins {
            let heard = PathTranscript(Array(picture[join...]) + audio, cuts: [], type: nil, isComplete: false)
            if picture.count - join > StreamRecognizer.limit {
                #expect(heard.frames.isEmpty, "\(cover), from \(join): \(heard.frames.count) frames")
                #expect(heard.refusal != nil, "\(cover), from \(join)")
            } else {
                #expect(heard.refusal == nil, "\(cover), from \(join): \(String(describing: heard.refusal))")
                let isWhole = FrameList.areEqual(heard.frames.flatMap { $0 }[...], audio.dropLast(417))
                #expect(isWhole, "\(cover), from \(join): \(heard.frames.count) frames")
            }
        }
    }

    /// Some places within `count` bytes, including the first byte.
    private static func joins(in count: Int, seed: UInt64) -> [Int] {
        var random = SplitMix64(seed: seed)
        return [0] + (0..<5).map { _ in Int.random(in: 0..<count, using: &random) }
    }

    @Test("B31: Bytes that look like packets at the end of the first look are not taken for packets")
    func packetsAtTheEnd() {
        let limit = StreamRecognizer.limit
        for (mark, distance) in [([0x47], 188), ([0x56, 0xe0, 0x20], 35)] as [([UInt8], Int)] {
            for packets in 1...4 {
                var bytes = [UInt8](repeating: 0xAA, count: limit)
                for packet in 1...packets {
                    let place = limit - packet * distance
                    bytes.replaceSubrange(place..<place + mark.count + 1, with: mark + [UInt8(packet)])
                }
                let heard = PathTranscript(bytes + Self.audio, cuts: [], isComplete: false)
                #expect(heard.refusal == nil && heard.frames.count >= 118, "\(packets) of \(mark)")
            }
        }
    }

    @Test("B33: Text after a brace is JSON only if all of it can be read and nothing follows it")
    func braces() {
        var random = SplitMix64(seed: 33)
        for bracket in ["{", "["] {
            for _ in 0..<50 {
                // The stream begins with the rest of a frame that the join cut: padding that looks like text.
                let rest = bracket + "\"" + String(repeating: "U", count: Int.random(in: 30...300, using: &random))
                let heard = PathTranscript(
                    Array(rest.utf8) + Self.audio, cuts: [], type: "audio/aac", isComplete: false)
                #expect(heard.refusal == nil && heard.frames.count == 119)
            }
        }
        #expect(PathTranscript(Array("{\"a\": 1}".utf8), cuts: []).refusal == .json)
        let long = Array(("[" + String(repeating: "{\"mount\": \"/live\"}, ", count: 2_000)).utf8)
        #expect(PathTranscript(long, cuts: [], isComplete: false).refusal == .json)
    }

    /// A kind of picture before the audio, joined somewhere in its middle.
    enum Cover: CaseIterable {
        case png, jpeg, uniform, bitmap

        static let all = allCases

        /// The bytes with which a picture of this kind begins.
        var mark: [UInt8] {
            switch self {
            case .png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            case .jpeg: [0xff, 0xd8, 0xff, 0xe0]
            case .uniform: Array("GIF89a".utf8)
            case .bitmap: Array("BM".utf8)
            }
        }

        func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
            var random = SplitMix64(seed: seed)
            switch self {
            case .png:
                return random.bytes(count)
            case .jpeg:
                // Each 0xFF is followed by a zero, or now and then by a marker's code.
                var bytes: [UInt8] = []
                while bytes.count < count {
                    let byte = UInt8.random(in: 0...255, using: &random)
                    bytes += byte == 0xff ? [0xff, bytes.count % 7 == 0 ? 0xd0 | UInt8(bytes.count & 7) : 0] : [byte]
                }
                return bytes
            case .uniform:
                // An area of one colour is a pattern of a few bytes.
                let pattern = random.bytes([1, 2, 3, 4, 47, 94, 188][Int(seed % 7)]).map { $0 == 0xff ? 0x47 : $0 }
                // The first byte is one that occurs in no text.
                return [0] + (0..<count / pattern.count).flatMap { _ in pattern }
            case .bitmap:
                return (0..<count).map { _ in [0x47, 0x56, 0xe0, 0x20, 0][Int.random(in: 0..<5, using: &random)] }
            }
        }
    }
}
