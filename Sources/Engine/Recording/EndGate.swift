// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations

/// Stands between a station and what keeps its audio, and knows when the recording is over. Confined to the loop's
/// thread.
///
/// Everything goes through, until ``close(at:)`` sets an end: of a live station's frames then only those that aired
/// before it.
final class EndGate: StreamSink {
    /// The first audio is about to go through. Once.
    var onAudio: (() -> Void)?
    /// The programme has ended, after the keeper heard of it.
    var onEnd: ((Failure?) -> Void)?
    /// All that aired before the end has gone through. Once.
    var onClosed: (() -> Void)?

    private let keeper: any AudioKeeper
    private var airTime: AirTime?
    private var end: WallInstant?
    private var isClosed = false

    init(before keeper: any AudioKeeper) {
        self.keeper = keeper
    }

    var tolerance: Duration? { keeper.tolerance }

    /// Whether there is an end that has not been reached.
    var isClosing: Bool { end != nil && !isClosed }

    /// Lets nothing through any more that aired after that.
    func close(at end: WallInstant) {
        self.end = end
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk): return pass(chunk)
        case .airTime(let map): airTime = map
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

    /// What is missing after the end was not to be recorded, and what follows that neither.
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

    /// An air time that has not settled counts too. No frame aired later than it says, so what it leaves out came after
    /// the end, and a station whose connections never last until it settles has an end as well.
    private func pass(_ chunk: Chunk) {
        guard !isClosed else { return }
        if let onAudio = onAudio.take() { onAudio() }
        guard let end, let airTime else { return keeper.receive(.chunk(chunk)) }
        let frames = chunk.frames(airedBefore: end, by: airTime)
        if frames > 0 { keeper.receive(.chunk(chunk.subchunk(0..<frames))) }
        if frames < chunk.frames.count { finish() }
    }
}
