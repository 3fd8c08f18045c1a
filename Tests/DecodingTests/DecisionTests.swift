// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@testable import Decoding

/// Decisions that need neither a library nor a process.
struct DecisionTests {
    @Test("Each library is found, and has the system's name")
    func libraries() {
        for library in CodecLibrary.allCases {
            #expect(library.problem == nil)
        }
        #expect(CodecLibrary.mpg123.name == "libmpg123.so.0" && CodecLibrary.mpg123.package == "libmpg123-0")
        #expect(CodecLibrary.flac.name.hasPrefix("libFLAC.so."))
    }

    @Test("The head of a WAV stream is read at any length, and a wrong head is refused")
    func wavHead() {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        func head(
            code: Int = 3, channels: Int = 2, rate: Int = 48_000, bits: Int = 32, data: String = "data"
        ) -> [UInt8] {
            Array("RIFF".utf8) + number(-1, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(code, 2)
                + number(channels, 2) + number(rate, 4) + number(0, 4) + number(0, 2) + number(bits, 2)
                + Array("LIST".utf8) + number(3, 4) + [1, 2, 3, 0] + Array(data.utf8) + number(-1, 4)
        }
        func parse(_ bytes: [UInt8]) -> WAVHead.Outcome { bytes.withUnsafeBytes { WAVHead.parse($0) } }
        let whole = head()
        let format = PCMFormat(sampleRate: 48_000, channels: 2)
        #expect(parse(whole + [9, 9]) == .head(WAVHead(format: format), length: whole.count))
        for count in whole.indices { #expect(parse(Array(whole.prefix(count))) == .more) }
        for wrong in [head(code: 1), head(channels: 0), head(channels: 9), head(rate: 0), head(bits: 16)] {
            #expect(parse(wrong) == .wrong)
        }
        #expect(parse(Array("RIFX".utf8) + whole.dropFirst(4)) == .wrong)
        #expect(parse(Array(whole.prefix(12)) + Array("junk".utf8) + number(1 << 20, 4)) == .wrong)
        // The parser also gives up on a head that consists only of empty chunks.
        let empty = (0..<1_000).flatMap { _ in Array("none".utf8) + number(0, 4) }
        #expect(parse(Array(whole.prefix(12)) + empty) == .wrong)
    }

    @Test("The head of Opus gives the channels in WAV order, and a damaged head is refused")
    func opusHead() throws {
        let fixed: [UInt8] = Array("OpusHead".utf8) + [1]
        let plain = fixed + [2, 0x38, 1, 0, 0, 0, 0, 0x00, 0xFF, 0]
        let head = try #require(OpusHead(plain))
        #expect(head.channels == 2 && head.preSkip == 312 && head.gain == -256 && head.mapping == [0, 1])
        let surround = fixed + [6, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 2, 0, 4, 1, 2, 3, 5]
        let six = try #require(OpusHead(surround))
        // The order in WAV is left, right, centre, low, back left, back right.
        #expect(six.mapping == [0, 1, 4, 5, 2, 3] && six.streams == 4 && six.coupled == 2)
        for count in surround.indices { #expect(OpusHead(Array(surround.prefix(count))) == nil) }
        var wrong = surround
        wrong[21] = 6
        #expect(OpusHead(wrong) == nil)
        wrong[21] = 255
        #expect(OpusHead(wrong) != nil)
        wrong[18] = 255
        #expect(OpusHead(wrong) == nil)
    }

    @Test("A decoder has five restarts a minute")
    func budget() {
        var budget = RestartBudget()
        let start = MonotonicInstant(nanoseconds: 0)
        let allowed = [0, 1, 2, 3, 4, 59, 60, 60].map { budget.allows(at: start + .seconds($0)) }
        #expect(allowed == [true, true, true, true, true, false, true, false])
    }

    @Test("Samples belong to their frames, also after a restart, at another rate and across a jump")
    func framesInFlight() {
        var frames = FramesInFlight(streamRate: 24_000)
        let bytes = [UInt8](repeating: 7, count: 100)
        func append(_ instant: Int64) { bytes.withUnsafeBytes { frames.append($0, at: instant, samples: 1_024) } }
        for number in 0..<6 { append(Int64(number) * 1_024) }
        append(100_000)
        var sent = 0
        frames.sendRest {
            sent += min($0.count, 30); return min($0.count, 30)
        }
        #expect(sent == 30)
        frames.sendRest {
            sent += $0.count; return $0.count
        }
        #expect(sent == 700 && frames.allAreSent && frames.count == 7)
        frames.setRate(48_000)
        func take(_ count: Int) -> [Int64] {
            let (taken, instant) = frames.take(count)
            return [Int64(taken), instant ?? -1]
        }
        #expect(take(5_000) == [2_048, 0])
        #expect(take(1_000) == [1_000, 1_024])
        #expect(take(5_000) == [1_048, 1_524])
        for number in 2..<5 { #expect(take(5_000) == [2_048, Int64(number) * 1_024]) }
        #expect(take(48) == [48, 5_120])
        // A new decoder gets the three kept frames again. Their PCM is repeated, and so are the 24 stream samples
        // already taken from the frame after them.
        frames.startAgain()
        sent = 0
        frames.sendRest {
            sent += $0.count; return $0.count
        }
        #expect(sent == 500)
        #expect(take(5_000) == [2_048, -1])
        // If that decoder ends during the repetition, the next decoder repeats the same audio.
        frames.startAgain()
        for _ in 0..<3 { #expect(take(5_000) == [2_048, -1]) }
        #expect(take(5_000) == [48, -1])
        #expect(take(5_000) == [2_000, 5_144])
        #expect(take(5_000) == [2_048, 100_000])
        // Surplus PCM is numbered from the end of the last block.
        #expect(take(10) == [10, 101_024])
        #expect(take(10) == [10, 101_029])
        for _ in 0..<FramesInFlight.mostFrames { append(0) }
        #expect(frames.isFull)
        frames.forget()
        #expect(!frames.isFull && frames.count == 0)
    }
}
