// SPDX-License-Identifier: MIT

import Analysis
import Decoding
import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// Writes levels beside the files of a recorder, of what a tap of its programme hears.
final class LevelFeed {
    private weak var recorder: Recorder?
    private let programme: Programme
    private let context: UseContext
    private var keeper = LevelKeeper()
    /// Who waits until everything has been heard.
    private var waiting: (() -> Void)?
    private lazy var timer = context.reactor.makeTimer { [weak self] in self?.goOn() }

    /// The most time that the end of a recording waits for what a decoder still has.
    private static let patience = Duration.milliseconds(700)

    init(to recorder: Recorder, of programme: Programme, _ context: UseContext) throws(Failure) {
        (self.recorder, self.programme, self.context) = (recorder, programme, context)
        try context.engine.taps.add(self, to: programme, context.reactor)
    }

    private func put(_ pieces: [LevelKeeper.Piece]) {
        for piece in pieces { recorder?.append(piece.bytes, to: .levels, of: piece.file) }
    }

    private func goOn() {
        guard let body = waiting else { return }
        waiting = nil
        timer.cancel()
        context.engine.taps.remove(self, from: programme)
        put(keeper.finish())
        body()
    }
}

extension LevelFeed: GrowingCompanion {
    func entered(_ chunk: Chunk, into file: FileID, behind samples: Int64) {
        keeper.append(chunk, to: file, behind: samples)
    }

    func cut(_ file: FileID) { keeper.forget(file) }

    func end(_ body: @escaping () -> Void) {
        waiting = body
        timer.arm(at: context.reactor.now + Self.patience)
        context.engine.taps.finish(programme)
    }
}

extension LevelFeed: SoundTap.Listener {
    func heard(_ windows: [SoundWindow], edge: Duration) { put(keeper.take(windows)) }
    func heardAll() { goOn() }
    func cannotHear(_ error: DecodingError) { context.tell(.other(CompanionReport.cannotHear(.levels, error))) }
}
