// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Playback
import RadioCore

/// A player of several files in virtual time.
final class QueueRig {
    let reactor = ManualReactor()
    let sound: VirtualSound
    let player: Player
    private(set) weak var voice: InlineVoice?
    private(set) var events: [PlayerEvent] = []
    private(set) var heard: [Int] = []
    private(set) var received: [Int] = []
    private(set) var isFinished = false
    /// Called when all of a source has been received.
    var onReceived: ((Int, Failure?) -> Void)?
    var onUndecodable: ((Int, Failure) -> Void)?

    /// If `endsAfterSource`, nothing follows a source that has been received.
    init(_ settings: PlayerSettings = PlayerSettings(), endsAfterSource: Bool = false) throws {
        let reactor = reactor
        let sound = VirtualSound(reactor)
        self.sound = sound
        var made: InlineVoice?
        player = try Player(settings, reactor: reactor) { player in
            let voice = InlineVoice(sound, reactor, FakeProgramme.usualSamples, false) { event in
                player.tell { $0.heard(event) }
            }
            made = voice
            return voice
        }
        voice = made
        player.onEvent = { [unowned self] in events.append($0) }
        player.onFinish = { [unowned self] in isFinished = true }
        player.onSource = { [unowned self] in hear($0) }
        player.begin()
        reactor.settle()
        if endsAfterSource { onReceived = { [unowned self] _, _ in self.player.nothingFollows(nil) } }
    }

    private func hear(_ event: Player.SourceEvent) {
        switch event {
        case .heard(let id): heard.append(id)
        case .received(let id, let failure):
            received.append(id)
            onReceived?(id, failure)
        case .undecodable(let id, let failure): onUndecodable?(id, failure)
        }
    }

    var states: [PlaybackState] {
        events.compactMap { if case .status(let status) = $0 { status.state } else { nil } }
    }

    func wait(_ duration: Duration, step: Duration = .milliseconds(100)) {
        for _ in 0..<Int(duration / step) { reactor.advance(by: step) }
        reactor.settle()
    }
}
