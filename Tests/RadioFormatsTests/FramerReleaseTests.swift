// SPDX-License-Identifier: MIT

import RadioFormats
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

    private func check<F: Framer>(_ frames: [[UInt8]], _ fresh: F) {
        var framer = fresh
        var out: [[UInt8]] = []
        for (number, frame) in frames.enumerated() {
            frame.withUnsafeBytes { framer.append($0) }
            drain(&framer, into: &out)
            // A framer locks on to three frames in a row.
            guard number >= 3 else { continue }
            #expect(out.count == number, "frame \(number)")
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
