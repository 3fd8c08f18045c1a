// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Frames that are released before the bytes after them have arrived.
struct FramerReleaseTests {
    @Test("Released MPEG frames are the same frames, and each is released at once") func mpeg() {
        var source = SyntheticMPEG(seed: 4)
        source.payload = .random
        check(source.frames(40), MPEGAudioFramer())
        check(source.variableFrames(40), MPEGAudioFramer())
    }

    @Test("Released ADTS frames are the same frames, and each is released at once") func adts() {
        check(ADTSSample().frames(40, seed: 1, wild: true), ADTSFramer())
    }

    @Test("A25: Released FLAC frames are the same frames, and each is released at once") func flac() {
        let source = SyntheticFLAC()
        check(source.frames(0..<40), FLACFramer())
        // A framer looks farther ahead than one of these.
        check((0..<40).map { source.frame($0, samples: 16) }, FLACFramer(), waiting: 2)
    }

    @Test("Half a FLAC frame is not held") func halfFLAC() {
        let frames = SyntheticFLAC().frames(0..<5)
        var framer = FLACFramer()
        (frames[..<4].flatMap { $0 } + frames[4].dropLast(2)).withUnsafeBytes { framer.append($0) }
        var out: [[UInt8]] = []
        drain(&framer, into: &out)
        #expect(!framer.holdsFrame)
        framer.releaseHeld()
        drain(&framer, into: &out)
        #expect(out == Array(frames[..<4]))
    }

    @Test("A25: A whole frame is held, however its bytes and those before it were split", arguments: 4..<40)
    func split(number: Int) {
        var source = SyntheticMPEG(seed: 5)
        source.payload = .random
        let frames = source.variableFrames(42)
        let first = frames[..<number].flatMap { $0 } + frames[number].prefix(frames[number].count / 2)
        let second = frames[number].dropFirst(frames[number].count / 2) + frames[number + 1]
        var (framer, run, count) = (MPEGAudioFramer(), [Frame](), 0)
        for part in [first, Array(second)] {
            part.withUnsafeBytes { framer.append($0) }
            framer.drain(by: &run) { output in
                if case .frames(let frames, _) = output { count += frames.count }
                return true
            }
        }
        #expect(framer.holdsFrame && count == number + 1)
    }

    @Test("A frame made of two halves is not released", arguments: 1...200)
    func halves(seed: UInt64) {
        var source = SyntheticMPEG(seed: seed)
        source.payload = .random
        var random = SplitMix64(seed: seed)
        var frames = source.frames(20)
        // Bytes are lost from the middle of one frame to the middle of a later one, and a pause follows at a random
        // place.
        let lost = Int.random(in: 1..<400, using: &random)
        let damaged =
            Array(frames[9].prefix(Int.random(in: 4...frames[9].count - 4, using: &random))) + frames[11][lost...]
        frames.replaceSubrange(9...11, with: [damaged])
        let bytes = frames.flatMap { $0 }
        let whole = Set(frames).subtracting([damaged])
        let pause = Int.random(in: 8 * 417..<12 * 417, using: &random)
        var framer = MPEGAudioFramer()
        var out: [[UInt8]] = []
        for part in [bytes[..<pause], bytes[pause...]] {
            part.withUnsafeBytes { framer.append($0) }
            drain(&framer, into: &out)
            framer.releaseHeld()
            drain(&framer, into: &out)
        }
        framer.finish()
        drain(&framer, into: &out)
        #expect(out.allSatisfy(whole.contains) && out.count >= 16)
    }

    /// `waiting`: how many frames wait at first for the bytes after them.
    private func check<F: Framer>(_ frames: [[UInt8]], _ fresh: F, waiting: Int = 1) {
        var framer = fresh
        var out: [[UInt8]] = []
        for (number, frame) in frames.enumerated() {
            frame.withUnsafeBytes { framer.append($0) }
            drain(&framer, into: &out)
            // A framer locks on to three frames in a row.
            guard number >= 3 else { continue }
            #expect(out.count == max(number, 3) - (number == 3 ? waiting - 1 : 0), "frame \(number)")
            #expect(framer.holdsFrame)
            framer.releaseHeld()
            #expect(!framer.holdsFrame)
            drain(&framer, into: &out)
            #expect(out.count == number + 1)
            #expect(!framer.holdsFrame)
        }
        #expect(out == frames)
    }

    private func drain(_ framer: inout some Framer, into out: inout [[UInt8]]) {
        while let event = framer.next() {
            if case .frame(let frame) = event { framer.withBytes(of: frame) { out.append(Array($0)) } }
        }
    }
}
