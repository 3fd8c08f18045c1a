// SPDX-License-Identifier: MIT

import Decoding
import EventLoop
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
            let reactor = PolledReactor()
            // What malloc keeps for each of twenty threads settles within the first rounds.
            for _ in 0..<25 { try playTogether(on: reactor) }
            #expect(reactor.pump(until: soundThreadsHaveEnded))
            let descriptors = ProcessStatus.openDescriptors
            let memory = try #require(ProcessStatus()).anonymousMemory
            for _ in 0..<50 { try playTogether(on: reactor) }
            #expect(reactor.pump(until: soundThreadsHaveEnded))
            let grown = try #require(ProcessStatus()).anonymousMemory - memory
            #expect(ProcessStatus.openDescriptors <= descriptors + 4)
            #expect(grown < 4 << 20, "\(grown) bytes more")
        }
    }
}

/// Whether no more threads are left than those of the test itself.
private func soundThreadsHaveEnded() -> Bool { ProcessStatus().map { $0.threads <= 4 } ?? false }

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
