// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations

/// Stands between a station and a keeper, and determines when the recording is over. Confined to the loop's thread.
///
/// Passes everything until ``close(at:)`` sets an end. After that it passes only a live station's frames that aired
/// before the end. A step of the wall clock moves the map to air time. The end of a recording that lasts a certain time
/// moves with it, so the gate asks for the end again with each map.
final class EndGate: StreamSink {
    /// Called once, before the first audio passes.
    var onAudio: (() -> Void)?
    /// Called when the programme has ended, after the keeper has received the end.
    var onEnd: ((Failure?) -> Void)?
    /// Called once, when everything that aired before the end has passed.
    var onClosed: (() -> Void)?

    private let keeper: any AudioKeeper
    private var airTime: AirTime?
    /// The end of the recording by the clock of ``airTime``.
    private var end: WallInstant?
    private var currentEnd: (() -> WallInstant)?
    private var isClosed = false

    init(before keeper: any AudioKeeper) {
        self.keeper = keeper
    }

    var tolerance: Duration? { keeper.tolerance }

    /// Whether an end has been set but not reached.
    var isClosing: Bool { end != nil && !isClosed }

    /// Stops passing frames that aired after `end`.
    func close(at end: @escaping () -> WallInstant) {
        currentEnd = end
        self.end = end()
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk): return pass(chunk)
        case .airTime(let map):
            airTime = map
            end = currentEnd?()
        case .format: airTime = nil
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { break }
            airTime = nil
            return pass(gap, at: discontinuity.position)
        case .station, .splice, .stretch, .title, .ended: break
        }
        keeper.receive(event)
        if case .ended(let failure) = event { onEnd?(failure) }
    }

    /// Cuts a gap at the end of the recording, because no audio after that was to be recorded.
    private func pass(_ gap: Gap, at position: Position) {
        guard !isClosed else { return }
        var gap = gap
        let rest = end.map { $0 - gap.at }
        let isOver = rest.map { $0 <= gap.length ?? .zero } ?? false
        if isOver { gap.length = rest }
        if rest.map({ $0 > .zero }) ?? true {
            keeper.receive(.discontinuity(Discontinuity(kind: .gap(gap), position: position)))
        }
        if isOver { finish() }
    }

    private func finish() {
        isClosed = true
        onClosed?()
    }

    /// An unsettled air time counts as well. No frame aired later than it says, so every frame that it excludes came
    /// after the end. And a station whose connections never last until it settles needs an end, too.
    private func pass(_ chunk: Chunk) {
        guard !isClosed else { return }
        if let onAudio = onAudio.take() { onAudio() }
        guard let end, let airTime else { return keeper.receive(.chunk(chunk)) }
        let frames = chunk.frames(airedBefore: end, by: airTime)
        if frames > 0 { keeper.receive(.chunk(chunk.subchunk(0..<frames))) }
        if frames < chunk.frames.count { finish() }
    }
}
