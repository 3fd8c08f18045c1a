// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Plays media items one after the other in real time, as a radio station would: frame by frame, when its time has come.
///
/// Confined to the loop's thread. A frame is due when all frames before it have played; due frames are told together,
/// about sixteen times a second. The clock is the frames' own, counted in samples, so nothing drifts; what a slow turn
/// of the loop delays is caught up at the next. Frames of all items are one stream of one format: items of another
/// format than the first are skipped.
package final class PacedSource {
    /// Seconds of audio that are told at once at the start, so that there is something to burst with; delivery stays
    /// ahead by as much.
    private let ahead: Duration
    private let reactor: any Reactor
    private let repeats: Bool
    private let items: [MediaItem]
    private weak var delegate: (any PacedSourceDelegate)?

    private var timer: (any ReactorTimer)?
    /// When the first frame's time came.
    private var origin = MonotonicInstant(nanoseconds: 0)
    private var format: StreamFormat?
    /// Samples of all frames so far.
    private var samples: Int64 = 0
    private var current: OpenItem?
    private var index = -1
    /// Items of which has been said that they are skipped.
    private var skipped: Set<Int> = []
    private var isItemNew = false
    private var hasFramesInRound = false
    private var ending: Ending?
    /// The next frame, whose time has not come.
    private var next: Frame?
    /// What is to be told ahead of that frame.
    private var title: String?
    private var isResync = false

    private enum Ending {
        case over
        case failed(Failure)
    }

    /// Sixteen times a second.
    private static let period = Duration.microseconds(62_500)
    /// After a longer pause of the process the programme goes on from where it was instead of hurrying after.
    private static let longestCatchUp = Duration.seconds(10)
    /// Reads of one turn, so that an item without frames does not hold up the loop.
    private static let readsPerTurn = 64

    package init(
        _ items: [MediaItem], repeats: Bool = false, ahead: Duration = .zero, reactor: any Reactor,
        delegate: any PacedSourceDelegate
    ) {
        self.items = items
        self.repeats = repeats
        self.ahead = ahead
        self.reactor = reactor
        self.delegate = delegate
    }

    /// Starts the clock; the first frames are told in the next turn of the loop.
    package func start() {
        guard timer == nil else { return }
        let timer = reactor.makeTimer { [unowned self] in tick() }
        self.timer = timer
        origin = reactor.now
        timer.arm(at: origin)
    }

    /// Stops for good; nothing more is told.
    package func stop() {
        timer?.cancel()
        timer = nil
        current = nil
    }

    /// When everything so far has played, counted from the start.
    private var mediaTime: Duration {
        .samples(samples, at: format?.sampleRate ?? 0)
    }

    private func tick() {
        var readsLeft = Self.readsPerTurn
        forgivePause()
        while timer != nil, mediaTime <= reactor.now - origin + ahead {
            guard next != nil || findFrame(&readsLeft) else { break }
            tellFrame()
        }
        guard timer != nil else { return }
        delegate?.sourceCaughtUp(self)
        if let ending, mediaTime <= reactor.now - origin + ahead { return finish(ending) }
        guard let timer else { return }
        let periods = (reactor.now - origin).wholeNanoseconds / Self.period.wholeNanoseconds + 1
        timer.arm(at: origin + Self.period * periods)
    }

    private func forgivePause() {
        let behind = reactor.now - origin - mediaTime
        if behind > Self.longestCatchUp, format != nil { origin = origin + behind }
    }

    private func finish(_ ending: Ending) {
        stop()
        switch ending {
        case .over: delegate?.source(self, endedWith: nil)
        case .failed(let failure): delegate?.source(self, endedWith: failure)
        }
    }

    private func tellFrame() {
        if isResync { delegate?.sourceResynced(self) }
        isResync = false
        if let title { delegate?.source(self, title: title) }
        title = nil
        guard let frame = next, timer != nil else { return }
        next = nil
        samples += Int64(frame.samples)
        // Kept here: the delegate may stop the source while it has the bytes.
        let item = current
        item?.withBytes(of: frame) { delegate?.source(self, played: frame, $0) }
    }
}

// MARK: - From item to item

extension PacedSource {
    /// Looks for the next frame that can be played; false where there is none now.
    private func findFrame(_ readsLeft: inout Int) -> Bool {
        while timer != nil, ending == nil {
            guard let step = current?.next() else {
                openNext()
                continue
            }
            switch step {
            case .event(let event):
                if take(event) { return true }
            case .nothing:
                readsLeft -= 1
                guard readsLeft > 0 else { return false }
            case .ended:
                if isItemNew { skip(because: "it holds no audio") }
                current = nil
            case .unplayable(let reason):
                skip(because: reason)
            }
        }
        return false
    }

    /// True where the event is a frame to play.
    private func take(_ event: FramerEvent) -> Bool {
        switch event {
        case .format(let format):
            guard self.format == nil || self.format == format else {
                skip(because: "it has another format than what came before")
                return false
            }
            guard self.format == nil else { return false }
            self.format = format
            delegate?.source(self, began: format)
        case .frame(let frame):
            if isItemNew, title == nil { title = items[index].name }
            isItemNew = false
            hasFramesInRound = true
            next = frame
            return true
        case .title(let text):
            title = text
        case .discontinuity:
            // The first frame of an item follows the last of the one before.
            isResync = !isItemNew
        case .wrongChecksum, .skipped:
            break
        }
        return false
    }

    private func openNext() {
        index += 1
        if index >= items.count {
            guard hasFramesInRound else {
                ending = .failed(
                    Failure(.notAudio, "nothing can be played", remedy: "give files of audio, all of one format"))
                return
            }
            guard repeats else {
                ending = .over
                return
            }
            index = 0
            hasFramesInRound = false
        }
        isItemNew = true
        title = nil
        do throws(Failure) {
            current = try OpenItem(items[index])
        } catch {
            skip(because: error.description)
        }
    }

    private func skip(because reason: String) {
        current = nil
        title = nil
        guard skipped.insert(index).inserted else { return }
        delegate?.source(self, skipped: items[index].name, because: reason)
    }
}
