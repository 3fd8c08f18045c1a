// SPDX-License-Identifier: MIT

import Decoding
import EventLoop
import Glibc
import Instants
import Playback
import RadioCore
import SoundOutput
import TestSupport
import Testing

@Suite("Stop, play again, another station")
struct SwitchingTests {
    /// In a process of its own: what other tests open and allocate meanwhile does not count.
    @Test("1,000 times in a row, on real threads, nothing is left behind")
    func thousand() async {
        await #expect(processExitsWith: .success) {
            // One arena for all threads: what free(3) keeps of several would look like a leak (M_ARENA_MAX).
            #expect(mallopt(-8, 1) == 1)
            let reactor = PolledReactor()
            for _ in 0..<5 { try playTogether(on: reactor) }
            let descriptors = ProcessStatus.openDescriptors
            let memory = try #require(ProcessStatus()).anonymousMemory
            for _ in 0..<50 { try playTogether(on: reactor) }
            let grown = try #require(ProcessStatus()).anonymousMemory - memory
            #expect(ProcessStatus.openDescriptors <= descriptors + 4)
            #expect(grown < 2 << 20, "\(grown) bytes more")
            #expect(reactor.pump { ProcessStatus().map { $0.threads <= 4 } ?? false })
        }
    }
}

/// Twenty stations with a burst, each heard for a moment on a thread of its own, and stopped with a fade.
private func playTogether(on reactor: PolledReactor) throws {
    var finished = 0
    let players = try (0..<20).map { _ in
        let programme = FakeProgramme(.live)
        let player = try Player(PlayerSettings(), reactor: reactor) { player throws(Failure) in
            try SoundThread(
                measuresLoudness: false, makeOutput: { SilentOutput() },
                makeDecoder: { CountingDecoder($0, samples: FakeProgramme.usualSamples, isSilent: true) },
                tell: { event in player.tell { $0.heard(event) } })
        }
        player.onFinish = { finished += 1 }
        player.begin()
        player.tune(to: programme)
        programme.append(.seconds(2))
        return player
    }
    #expect(reactor.pump { players.allSatisfy { $0.snapshot.status.state == .playing } })
    for player in players { player.stop(.temporary) }
    #expect(reactor.pump { finished == players.count })
    #expect(players.allSatisfy { $0.snapshot.status.stopReason == .temporary })
}
