// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats
import Stations

/// A sink that examines a station for a few seconds.
package final class StationProbe: StreamSink {
    package private(set) var info: StationInfo?
    package private(set) var format: StreamFormat?
    package private(set) var title: String?
    package private(set) var meter = BitRateMeter()
    /// The playing time of the audio received so far.
    package private(set) var seen: Duration = .zero
    /// Whether the probe is over: the station has ended, ``finish()`` was called, or there is enough audio for every
    /// figure. Enough is 20 s of a file; of any other station, 3 s and the whole burst.
    package private(set) var isDone = false
    package private(set) var failure: Failure?
    /// Called once, when ``isDone`` becomes true.
    package var onDone: (() -> Void)?

    /// Whether the burst is over, so that its length is known.
    private var isSettled = false

    private static let enough = Duration.seconds(3)
    private static let enoughOfFile = Duration.seconds(20)

    package init() {}

    package func receive(_ event: StreamEvent) {
        switch event {
        case .station(let info): self.info = info
        case .format(let format, _): self.format = format
        case .title(let title): self.title = title.text
        case .discontinuity, .hole, .splice, .stretch, .found: break
        case .airTime(let airTime):
            isSettled = airTime.isSettled
            finishIfEnough()
        case .chunk(let chunk):
            guard !isDone else { return }
            meter.add(chunk)
            seen += chunk.duration
            finishIfEnough()
        case .ended(let failure):
            self.failure = failure
            finish()
        }
    }

    private func finishIfEnough() {
        let isEnough = info?.kind == .finite ? seen >= Self.enoughOfFile : isSettled && seen >= Self.enough
        if isEnough { finish() }
    }

    /// Ends the probe with what is known so far.
    package func finish() {
        guard !isDone else { return }
        isDone = true
        onDone?()
        onDone = nil
    }
}
