// SPDX-License-Identifier: MIT

import Analysis
package import Decoding
import EventLoop
package import Instants
package import RadioCore
import Stations

/// How to watch what a programme sounds like.
package struct WatchSpec: UseSpec {
    /// How long a programme may be silent, or stand still in one tone.
    package var longest: Duration

    package init(longest: Duration) {
        self.longest = longest
    }

    package func makeUse(_ context: UseContext) -> any Use { WatchUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { WatchOutcome(failure: failure) }
}

package struct WatchOutcome: UseOutcome {
    package var failure: Failure?
}

/// What a watch has noticed.
package enum WatchReport: UseReport {
    /// The programme has stood still since `at`, for as long as it may.
    case still(Stretch.Kind, since: WallInstant)
    /// There is sound again; the programme had stood still for `after`.
    case sound(Stretch.Kind, after: Duration)
    /// The programme is not watched any more. It had stood still until then.
    case unwatched(Stretch.Kind)
    /// Nothing can be noticed, because the programme cannot be decoded.
    case cannotHear(DecodingError)
    /// The programme can be decoded again.
    case hearsAgain
}

/// Watches what a programme sounds like, while it runs for other uses. It has no claim of its own.
final class WatchUse {
    private let context: UseContext
    private let longest: Duration
    private var programme: Programme?
    private var watch: StillnessWatch
    /// What the stillness was that has been reported and has not ended; its newest part, when that began, and how far
    /// it is marked.
    private var reported: (kind: Stretch.Kind, part: StillnessWatch.Stillness, since: WallInstant, marked: Duration)?
    private var newest: SoundWindow?

    /// How much the mark of a running stretch may lack, as long as a sidecar of a growing file is not rewritten either.
    private static let markPause = Duration.seconds(60)

    init(_ spec: WatchSpec, _ context: UseContext) {
        self.context = context
        longest = spec.longest
        watch = StillnessWatch(threshold: longest)
    }

    private func leave() {
        if let programme { context.engine.taps.remove(self, from: programme) }
        if let reported { context.tell(.other(WatchReport.unwatched(reported.kind))) }
        (programme, reported) = (nil, nil)
        watch = StillnessWatch(threshold: longest)
    }

    /// Reports what was noticed at a window, and marks it for recordings. `edge`: where the newest frame ends.
    private func report(_ change: StillnessWatch.Change, at window: SoundWindow, edge: Duration) {
        guard let hub = programme?.hub else { return }
        func airTime(_ window: SoundWindow) -> WallInstant {
            (hub.airTime?.instant(ofSample: hub.position.samples) ?? context.reactor.wallNow) - (edge - window.start)
        }
        switch change {
        case .began(let first, let part):
            reported = (first.kind, part, airTime(part.first), window.start)
            mark(until: window)
            context.tell(.other(WatchReport.still(first.kind, since: airTime(first.first))))
        case .turned(let part, let end):
            mark(until: end)
            reported?.part = part
            reported?.since = airTime(part.first)
            mark(until: window)
        case .ended(let first, let sound):
            mark(until: sound)
            reported = nil
            context.tell(.other(WatchReport.sound(first.kind, after: sound.start - first.first.start)))
        }
    }

    /// Marks the newest part of the reported stillness for recordings, up to a window.
    private func mark(until window: SoundWindow) {
        guard let (_, part, since, _) = reported, let hub = programme?.hub else { return }
        reported?.marked = window.start
        let length = window.start - part.first.start
        hub.report(Stretch(part.kind, frames: part.first.frame..<window.frame, at: since, length: length))
    }
}

extension WatchUse: Use {
    func begin() { context.host.join(self) }

    func end() {
        if let newest { mark(until: newest) }
        leave()
        context.reactor.defer { [self] in
            context.host.leave(self)
            context.onEnd(WatchOutcome())
        }
    }

    var snapshot: (any UseSnapshot)? { nil }
}

extension WatchUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) {
        leave()
        do throws(Failure) {
            try context.engine.taps.add(self, to: programme, context.reactor)
            self.programme = programme
        } catch {
            context.tell(.failed(error))
        }
    }

    func programmeEnded(_ failure: Failure?) { leave() }
}

extension WatchUse: SoundTap.Receiver {
    func heard(_ windows: [SoundWindow], edge: Duration) {
        for window in windows {
            newest = window
            if let change = watch.take(window) { report(change, at: window, edge: edge) }
            if let reported, window.start - reported.marked >= Self.markPause { mark(until: window) }
        }
    }

    func cannotHear(_ error: DecodingError) {
        // What is not heard may be sound. Only a silence that was reported lasts until there is sound.
        if reported == nil { watch = StillnessWatch(threshold: longest) }
        context.tell(.other(WatchReport.cannotHear(error)))
    }

    func hearsAgain() { context.tell(.other(WatchReport.hearsAgain)) }
}
