// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
package import MediaSources
package import RadioCore
import RadioFormats

/// Files, standard input or items in memory, played in sequence in real time. Sinks cannot distinguish them from a
/// station.
///
/// A frame is due when all frames before it have played. About sixteen times a second, all due frames are delivered.
/// Time is measured in samples of the frames, so nothing drifts. A slow loop iteration, or a pause of the steps, is
/// caught up. After a delay of more than ten seconds, the programme resumes from where it stopped.
final class PacedMedia {
    private let open: () throws(Failure) -> any StepSource
    private let info: StationInfo
    /// How much audio is delivered at once at the start, for listeners' bursts. From then on, delivery stays ahead of
    /// real time by the same amount.
    private let ahead: Duration
    private let reactor: any Reactor
    private let trunk: Trunk
    private var clock = EdgeClock()

    /// Nil unless it plays.
    private var steps: (any StepSource)?
    private lazy var timer = reactor.makeTimer { [unowned self] in tick() }
    /// The time at which the first frame was due, moved forward by each delay that is not caught up.
    private var origin: MonotonicInstant?
    private var sampleRate = 0
    /// The duration of all frames in earlier formats, and the samples of frames in the current format.
    private var elapsed = Duration.zero
    private var samples: Int64 = 0
    /// What has been fetched and is not due yet.
    private var waiting = StreamParts()
    /// The failure, or nil, with which the steps ended; `.none` until then.
    private var ending: Failure??

    /// Sixteen times a second.
    private static let period = Duration.microseconds(62_500)
    /// After a longer delay the programme resumes from where it stopped instead of catching up.
    private static let longestCatchUp = Duration.seconds(10)
    /// The limit for the frames delivered in one loop iteration. Far fewer frames can be due, unless they have no
    /// duration.
    private static let mostFrames = 8192
    /// The limit for the steps taken in one loop iteration, because steps may contain no frames.
    private static let mostSteps = 4096

    fileprivate init(
        _ info: StationInfo, ahead: Duration, _ reactor: any Reactor, into trunk: Trunk,
        _ open: @escaping () throws(Failure) -> any StepSource
    ) {
        (self.info, self.ahead, self.reactor, self.trunk, self.open) = (info, ahead, reactor, trunk, open)
    }
}

extension Programme {
    /// Plays items from memory. `ahead`: how much audio is in the ring from the start, for the first listener's burst.
    package convenience init(
        _ items: [MediaItem], info: StationInfo, repeats: Bool, ahead: Duration, reactor: any Reactor
    ) {
        self.init(info, ahead: ahead, reactor) { Playout(items, repeats: repeats) }
    }

    /// Plays files or standard input, which a separate thread reads.
    package convenience init(_ plan: MediaPlan, info: StationInfo, ahead: Duration, reactor: any Reactor) {
        self.init(info, ahead: ahead, reactor) { () throws(Failure) in try ReaderThread(plan, reactor: reactor) }
    }

    convenience init(
        _ info: StationInfo, ahead: Duration, _ reactor: any Reactor,
        _ open: @escaping () throws(Failure) -> any StepSource
    ) {
        self.init(depth: ahead + .seconds(2), reactor: reactor) {
            PacedMedia(info, ahead: ahead, reactor, into: $0, open)
        }
    }
}

extension PacedMedia: Source {
    func begin() {
        trunk.hub.announce(info)
        do throws(Failure) {
            steps = try open()
            timer.arm(at: reactor.now)
        } catch {
            trunk.end(error)
        }
    }

    func stop() {
        timer.cancel()
        steps?.close()
        steps = nil
    }
}

// MARK: - The clock

extension PacedMedia {
    /// The duration of all frames delivered so far.
    private var mediaTime: Duration { elapsed + .samples(samples, at: sampleRate) }

    /// Whether all frames delivered so far have played, except for those that are delivered ahead.
    private var isDue: Bool { origin.map { mediaTime <= reactor.now - $0 + ahead } ?? true }

    /// Called before each frame. The first frame starts the clock. If a frame is much too late, the clock is set back
    /// so that this frame is due now.
    private func keepTime() {
        guard let origin else { return origin = reactor.now }
        let behind = reactor.now - origin - mediaTime
        if behind > Self.longestCatchUp { self.origin = origin + behind }
    }

    private func arm() {
        let start = origin ?? reactor.now
        let periods = (reactor.now - start).wholeNanoseconds / Self.period.wholeNanoseconds + 1
        timer.arm(at: start + Self.period * periods)
    }
}

// MARK: - Steps

extension PacedMedia {
    /// Delivers what is due. Any delivery may end the programme.
    private func tick() {
        var (framesLeft, stepsLeft) = (Self.mostFrames, Self.mostSteps)
        while framesLeft > 0, findFrame(&stepsLeft) {
            keepTime()
            guard isDue else { break }
            passParts()
            passFrames(&framesLeft)
        }
        guard steps != nil else { return }
        if framesLeft < Self.mostFrames { trunk.arrived(by: &clock) }
        if let ending, isDue {
            stop()
            return trunk.end(ending)
        }
        if steps != nil { arm() }
    }

    /// Fetches until a frame waits. Returns false if there is none yet.
    private func findFrame(_ stepsLeft: inout Int) -> Bool {
        while let steps, waiting.frames == 0 {
            guard ending == nil, stepsLeft > 0, let step = steps.next() else { return false }
            stepsLeft -= 1
            take(step)
        }
        return steps != nil
    }

    private func take(_ step: MediaStep) {
        switch step {
        case .parts(let parts): waiting.append(parts)
        case .skipped(let item, let reason): trunk.onNotice?(.skipped(item: item, reason: reason))
        case .leftOut(let bytes, let item): trunk.onNotice?(.attachmentsLeftOut(bytes: bytes, of: item))
        case .opened, .mayBeIncomplete, .idle: break
        case .ended(let failure): ending = .some(failure)
        }
    }

    /// Delivers the parts before the next frame.
    private func passParts() {
        while steps != nil, let part = waiting.popPart() {
            if case .format(let format) = part { (elapsed, samples, sampleRate) = (mediaTime, 0, format.sampleRate) }
            trunk.take(part)
        }
    }

    /// Delivers the next frame, which is due, and those after it that are due as well.
    private func passFrames(_ framesLeft: inout Int) {
        guard steps != nil else { return }
        var count = 0
        repeat {
            samples += Int64(waiting[count].samples)
            count += 1
            framesLeft -= 1
        } while framesLeft > 0 && count < waiting.framesAhead && isDue
        waiting.removeFirst(count).pass(to: trunk)
    }
}
