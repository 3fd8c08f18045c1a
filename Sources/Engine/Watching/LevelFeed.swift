// SPDX-License-Identifier: MIT

import Analysis
import Decoding
import EventLoop
import Instants
import RadioCore
import Recorder
import Stations

/// Tells a recorder what its programme sounds like, for the levels beside the audio.
final class LevelFeed {
    private let recorder: Recorder
    private let programme: Programme
    private let taps: SoundTaps
    private let onFailure: (DecodingError) -> Void
    /// The frame of the newest window.
    private var newest: Int64 = -1
    /// Who waits until this frame has been heard.
    private var waiting: (frame: Int64, body: () -> Void)?
    private let reactor: any Reactor
    private lazy var timer = reactor.makeTimer { [weak self] in self?.goOn() }

    /// How many frames a decoder may hold, and the most time that the end of a recording waits for the others.
    private static let mostHeld: Int64 = 8
    private static let patience = Duration.milliseconds(700)

    init(
        to recorder: Recorder, of programme: Programme, _ context: UseContext,
        onFailure: @escaping (DecodingError) -> Void
    ) throws(Failure) {
        (self.recorder, self.programme, taps) = (recorder, programme, context.engine.taps)
        (reactor, self.onFailure) = (context.reactor, onFailure)
        try taps.add(self, to: programme, context.reactor)
    }

    /// Calls `body` once all frames so far have been heard, or soon, and hears no further ones.
    func end(_ body: @escaping () -> Void) {
        waiting = (programme.hub.position.frames - Self.mostHeld, body)
        timer.arm(at: reactor.now + Self.patience)
        if newest >= programme.hub.position.frames - Self.mostHeld { goOn() }
    }

    private func goOn() {
        guard let body = waiting?.body else { return }
        waiting = nil
        timer.cancel()
        taps.remove(self, from: programme)
        body()
    }
}

extension LevelFeed: SoundTap.Listener {
    func heard(_ windows: [SoundWindow], edge: Duration) {
        recorder.take(windows)
        newest = windows.last?.frame ?? newest
        if let waiting, newest >= waiting.frame { goOn() }
    }

    func cannotHear(_ error: DecodingError) { onFailure(error) }
}
