// SPDX-License-Identifier: MIT

import CAllocations
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Decoding

// Only in release: without optimisation even a loop over a range allocates.
#if !DEBUG

    /// A decoder allocates nothing for a frame in this process.
    struct AllocationTests {
        private static let encodings: [ReferenceProgramme.Encoding] = [
            .mp3(128), .mp3Variable(quality: 2), .mp2(192), .aac(96), .opus(96), .vorbis(128), .flac, .nativeFLAC,
        ]

        @Test("Decoding 200 frames and more allocates nothing", arguments: encodings)
        func steadyState(_ encoding: ReferenceProgramme.Encoding) async throws {
            let programme = try await ReferenceProgramme.make(.init(encoding, sampleRate: 48_000, seconds: 30))
            let container = try #require(
                [.mpegAudio: Container.mpeg, .adts: .adts, .ogg: .ogg, .flac: .flac][encoding.container])
            let stream = try FramedStream(programme.bytes, in: container)
            let decoder = try Decoders.make(for: stream.format)
            let deadline = Deadline(after: .seconds(60))
            var heard = 0
            func put(_ frame: FramedStream.Frame) throws {
                var isTaken = false
                while !isTaken {
                    isTaken = try frame.bytes.withUnsafeBytes { try decoder.put($0, at: frame.instant) }
                    let known = heard
                    while let block = try decoder.next() { heard += block.count }
                    // A decoder in another process may need time, so wait until it has output.
                    if !isTaken, heard == known, let descriptor = decoder.descriptor { wait(descriptor, deadline) }
                    guard !deadline.hasPassed else { throw SetupError("the decoder takes nothing") }
                }
            }
            let warm = stream.frames.count / 3
            for frame in stream.frames.prefix(warm) { try put(frame) }
            let before = ac_allocation_count()
            for frame in stream.frames.dropFirst(warm) { try put(frame) }
            #expect(ac_allocation_count() - before == 0)
            #expect(heard > 20 * 48_000 && stream.frames.count - warm >= 200)
        }
    }

#endif
