// SPDX-License-Identifier: MIT

import Testing

// The test runs only in release, because without optimisation even a loop over a range allocates.
#if !DEBUG

    @Suite("What playing allocates")
    struct PlaybackAllocationTests {
        /// Reports and deliveries allocate a little several times a second, however many frames there are. So the test
        /// plays four times as many frames in the same time, which must not allocate more.
        @Test("Playback allocates nothing for a frame, from the ring to the output")
        func frames() throws {
            let (few, many) = (try count(samples: 1_152), try count(samples: 288))
            #expect(many.frames >= few.frames * 4 - 8)
            let each = Double(many.allocations - few.allocations) / Double(many.frames - few.frames)
            #expect(abs(each) < 0.01, "\(few) \(many)")
        }

        private func count(samples: Int) throws -> (frames: Int64, allocations: Int) {
            let rig = try PlayerRig(isSilent: true, samples: samples, running: .seconds(120), burst: .seconds(4))
            let (frames, before) = (rig.programme.frames, allocations(of: rig))
            rig.run(.seconds(120))
            return (rig.programme.frames - frames, allocations(of: rig) - before)
        }

        private func allocations(of rig: PlayerRig) -> Int {
            rig.programme.allocations + (rig.voice?.allocations ?? 0)
        }
    }

#endif
