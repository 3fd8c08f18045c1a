// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Plays frames in real time, as a radio station would: each frame when it is due.
///
/// A frame is due when all frames before it have played. About sixteen times a second, the source fetches more steps and
/// delivers all due frames. It measures time in samples of the frames, so nothing drifts. It catches up after a slow
/// loop iteration, or when there were no steps. After a delay of more than ten seconds, the programme resumes from where
/// it stopped.
package final class PacedSource {
    /// How much audio is delivered at once at the start, for listeners' bursts. From then on, delivery stays ahead of
    /// real time by the same amount.
    private let ahead: Duration
    private let reactor: any Reactor
    private let steps: any StepSource
    private weak var delegate: (any PacedSourceDelegate)?

    private var timer: (any ReactorTimer)?
    /// The time at which the first frame was due, moved forward by each delay that is not caught up.
    private var origin: MonotonicInstant?
    private var sampleRate = 0
    /// The duration of all frames in earlier formats, and the samples of frames in the current format.
    private var elapsed = Duration.zero
    private var samples: Int64 = 0

    /// What has been fetched and is not due yet.
    private var waiting = StreamParts()
    private var ending: Ending?

    private enum Ending {
        case over
        case failed(Failure)
    }

    /// Sixteen times a second.
    private static let period = Duration.microseconds(62_500)
    /// After a longer delay the programme resumes from where it stopped instead of catching up.
    private static let longestCatchUp = Duration.seconds(10)
    /// The limit for the frames delivered in one loop iteration. Far fewer frames can be due, unless they have no
    /// duration.
    private static let mostFrames = 8192
    /// The limit for the steps taken in one loop iteration, because steps may contain no frames.
    private static let mostSteps = 4096

    package init(
        _ steps: any StepSource, ahead: Duration = .zero, reactor: any Reactor, delegate: any PacedSourceDelegate
    ) {
        self.steps = steps
        self.ahead = ahead
        self.reactor = reactor
        self.delegate = delegate
    }

    /// Starts to play. Delivers the first frames in the next loop iteration, or as soon as there are some.
    package func start() {
        guard timer == nil else { return }
        let timer = reactor.makeTimer { [unowned self] in tick() }
        self.timer = timer
        timer.arm(at: reactor.now)
    }

    /// Stops for good; nothing more is delivered.
    package func stop() {
        timer?.cancel()
        timer = nil
        steps.close()
    }

    private func tick() {
        var framesLeft = Self.mostFrames
        var stepsLeft = Self.mostSteps
        while timer != nil, framesLeft > 0, findFrame(&stepsLeft) {
            keepTime()
            guard isDue else { break }
            tellParts()
            tellFrames(&framesLeft)
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
    /// The duration of all frames delivered so far.
    private var mediaTime: Duration {
        elapsed + .samples(samples, at: sampleRate)
    }

    /// Whether all frames delivered so far have played, except for those that are delivered ahead.
    private var isDue: Bool {
        guard let origin else { return true }
        return mediaTime <= reactor.now - origin + ahead
    }

    /// Called before each frame. The first frame starts the clock. If a frame is much too late, the clock is set back
    /// so that this frame is due now.
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

// MARK: - Steps

extension PacedSource {
    /// Fetches until a frame waits. Returns false if there is none yet.
    private func findFrame(_ stepsLeft: inout Int) -> Bool {
        while timer != nil, waiting.frames == 0 {
            guard ending == nil, stepsLeft > 0, let step = steps.next() else { return false }
            stepsLeft -= 1
            take(step)
        }
        return timer != nil
    }

    private func take(_ step: MediaStep) {
        switch step {
        case .parts(let parts): waiting.append(parts)
        case .skipped(let item, let reason): delegate?.source(self, skipped: item, because: reason)
        case .leftOut(let bytes, let item): delegate?.source(self, leftOut: bytes, of: item)
        case .opened, .mayBeIncomplete, .idle: break
        case .ended(let failure): ending = failure.map { .failed($0) } ?? .over
        }
    }

    /// Delivers the parts before the next frame. The delegate may stop the source at any of them.
    private func tellParts() {
        while timer != nil, let part = waiting.popPart() {
            if case .format(let format) = part { begin(format) }
            delegate?.take(part)
        }
    }

    /// Delivers the next frame, which is due, and those after it that are due as well.
    private func tellFrames(_ framesLeft: inout Int) {
        guard timer != nil else { return }
        var count = 0
        repeat {
            samples += Int64(waiting[count].samples)
            count += 1
            framesLeft -= 1
        } while framesLeft > 0 && count < waiting.framesAhead && isDue
        guard let delegate else { return }
        waiting.removeFirst(count).pass(to: delegate)
    }
}
