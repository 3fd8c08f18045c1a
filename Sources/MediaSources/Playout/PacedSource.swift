// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Plays frames in real time, as a radio station would: each when its time has come.
///
/// Confined to the loop's thread. A frame is due when all frames before it have played; due frames are delivered
/// together, about sixteen times a second, which is also how often the feed is looked at. The clock is the frames' own,
/// counted in samples, so nothing drifts; what a slow turn of the loop, or a feed that had nothing, has delayed is
/// caught up, but after more than ten seconds the programme goes on from where it was.
package final class PacedSource {
    /// How much audio is delivered at once at the start, so that there is something to burst with; delivery stays ahead
    /// by as much.
    private let ahead: Duration
    private let reactor: any Reactor
    private let feed: any PlayoutFeed
    private weak var delegate: (any PacedSourceDelegate)?

    private var timer: (any ReactorTimer)?
    /// When the first frame's time came.
    private var origin: MonotonicInstant?
    private var sampleRate = 0
    /// What frames of earlier formats have played, and samples of those of the present one.
    private var elapsed = Duration.zero
    private var samples: Int64 = 0

    /// What is at hand.
    private var reader = StreamParts.Reader()
    /// What is to be told ahead of the next frame.
    private var leading = StreamParts()
    private var ending: Ending?

    private enum Ending {
        case over
        case failed(Failure)
    }

    /// Sixteen times a second.
    private static let period = Duration.microseconds(62_500)
    /// After a longer pause the programme goes on from where it was instead of hurrying after.
    private static let longestCatchUp = Duration.seconds(10)
    /// Frames of one turn: far more than can be due, unless they last for no time at all.
    private static let mostFrames = 8192
    /// Steps of one turn, in which there may be no frame.
    private static let mostSteps = 4096

    package init(
        _ feed: any PlayoutFeed, ahead: Duration = .zero, reactor: any Reactor, delegate: any PacedSourceDelegate
    ) {
        self.feed = feed
        self.ahead = ahead
        self.reactor = reactor
        self.delegate = delegate
    }

    /// Starts to play; the first frames are told in the next turn of the loop, or when the feed has some.
    package func start() {
        guard timer == nil else { return }
        let timer = reactor.makeTimer { [unowned self] in tick() }
        self.timer = timer
        timer.arm(at: reactor.now)
    }

    /// Stops for good; nothing more is told.
    package func stop() {
        timer?.cancel()
        timer = nil
        feed.close()
    }

    private func tick() {
        var framesLeft = Self.mostFrames
        var stepsLeft = Self.mostSteps
        while timer != nil, framesLeft > 0, findFrame(&stepsLeft) {
            keepTime()
            guard isDue else { break }
            tellFrame()
            framesLeft -= 1
        }
        guard timer != nil else { return }
        if framesLeft < Self.mostFrames { delegate?.sourceCaughtUp(self) }
        if let ending, isDue { return finish(ending) }
        arm()
    }

    private func arm() {
        guard let timer else { return }
        let start = origin ?? reactor.now
        let periods = (reactor.now - start).wholeNanoseconds / Self.period.wholeNanoseconds + 1
        timer.arm(at: start + Self.period * periods)
    }

    private func finish(_ ending: Ending) {
        stop()
        switch ending {
        case .over: delegate?.source(self, endedWith: nil)
        case .failed(let failure): delegate?.source(self, endedWith: failure)
        }
    }
}

// MARK: - The clock

extension PacedSource {
    /// How long everything so far plays.
    private var mediaTime: Duration {
        elapsed + .samples(samples, at: sampleRate)
    }

    /// Whether everything so far has played, but for what is told ahead.
    private var isDue: Bool {
        guard let origin else { return true }
        return mediaTime <= reactor.now - origin + ahead
    }

    /// Before a frame: the first one starts the clock, and one that comes much too late sets it back.
    private func keepTime() {
        guard let origin else {
            origin = reactor.now
            return
        }
        let behind = reactor.now - origin - mediaTime
        if behind > Self.longestCatchUp { self.origin = origin + behind }
    }

    private func begin(_ format: StreamFormat) {
        elapsed = mediaTime
        samples = 0
        sampleRate = format.sampleRate
    }
}

// MARK: - From the feed

extension PacedSource {
    /// Sees to it that a frame is at hand; false where there is none now.
    private func findFrame(_ stepsLeft: inout Int) -> Bool {
        while timer != nil {
            switch reader.part {
            case .frame:
                return true
            case let part?:
                leading.append(part)
                reader.advance()
            case nil:
                guard ending == nil, stepsLeft > 0, let step = feed.next() else { return false }
                stepsLeft -= 1
                take(step)
            }
        }
        return false
    }

    private func take(_ step: PlayoutStep) {
        switch step {
        case .parts(let parts): reader = StreamParts.Reader(parts)
        case .skipped(let item, let reason): delegate?.source(self, skipped: item, because: reason)
        case .idle: break
        case .ended(let failure): ending = failure.map { .failed($0) } ?? .over
        }
    }

    /// What comes first, and the frame; inside any of it the source may be stopped.
    private func tellFrame() {
        if !leading.isEmpty {
            let parts = leading
            leading = StreamParts()
            parts.forEach { part, _ in
                guard timer != nil else { return }
                if case .format(let format) = part { begin(format) }
                delegate?.take(part)
            }
        }
        guard timer != nil, case .frame(let facts) = reader.part else { return }
        samples += Int64(facts.samples)
        // The delegate may stop the source while it has the bytes.
        let place = reader
        reader.advance()
        place.withBytes { delegate?.take(.frame(facts), $0) }
    }
}
