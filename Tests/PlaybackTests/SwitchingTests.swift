// SPDX-License-Identifier: MIT

import Decoding
import EventLoop
import Foundation
import Instants
import Playback
import RadioCore
import SoundOutput
import TestSupport
import TestTools
import Testing

@Suite("Stop, play again, another station")
struct SwitchingTests {
    @Test("A thousand players in a row leave nothing behind")
    func thousand() throws {
        for turn in 0..<1_000 {
            weak var player: Player?
            weak var voice: InlineVoice?
            weak var sound: VirtualSound?
            do {
                let rig = try PlayerRig()
                (player, voice, sound) = (rig.player, rig.voice, rig.sound)
                rig.run(.milliseconds(500), burst: .seconds(2))
                if turn % 3 == 0 { rig.player.perform(.pause) }
                if turn % 5 == 0 { rig.sound.goDown() }
                rig.player.stop(.temporary)
                rig.wait(.seconds(1))
                #expect(rig.isFinished && rig.player.snapshot.status.stopReason == .temporary)
            }
            guard player == nil, voice == nil, sound == nil
            else { throw SetupError("turn \(turn): \(player == nil) \(voice == nil) \(sound == nil)") }
        }
    }

    @Test("A player that gives up without a sound server leaves nothing behind")
    func givenUp() throws {
        weak var player: Player?
        weak var voice: InlineVoice?
        weak var sound: VirtualSound?
        do {
            var settings = PlayerSettings()
            settings.giveUp = .seconds(5)
            let rig = try PlayerRig(settings)
            (player, voice, sound) = (rig.player, rig.voice, rig.sound)
            rig.sound.goDown()
            rig.run(.seconds(10), burst: .seconds(2))
            #expect(rig.isFinished && rig.player.snapshot.status.error != nil)
        }
        #expect(player == nil && voice == nil && sound == nil)
    }

    /// The test runs in its own process, so that descriptors of other tests do not count.
    @Test("Sound threads end with their players")
    func threads() async {
        await #expect(processExitsWith: .success) {
            let reactor = PolledReactor()
            try playTogether(on: reactor)
            #expect(reactor.pump(until: soundThreadsHaveEnded))
            let descriptors = ProcessStatus.openDescriptors
            for _ in 0..<5 { try playTogether(on: reactor) }
            #expect(reactor.pump(until: soundThreadsHaveEnded))
            #expect(ProcessStatus.openDescriptors == descriptors)
        }
    }
}

/// Whether all sound threads have ended. They are recognised by their names, because the number of threads in Swift's
/// pool varies.
private func soundThreadsHaveEnded() -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return !threads.contains { thread in
        let name = try? bytes(ofKernelFile: "/proc/self/task/\(thread)/comm")
        return name.map { $0.starts(with: Array("sound".utf8)) } ?? false
    }
}

/// Plays stations with a burst for a moment, each on its own thread, and stops them with a fade.
private func playTogether(on reactor: PolledReactor) throws {
    var finished = 0
    let players = try (0..<4).map { _ in
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
