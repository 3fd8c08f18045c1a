// SPDX-License-Identifier: MIT

import CLibPulse
import Glibc
package import Instants
import Platform
package import RadioCore

/// Sound over libpulse: PulseAudio, or PipeWire's server of the same protocol.
///
/// All work happens on one thread, in ``wait(until:or:)``. Every request has a deadline, and every failure leads back
/// to a new connection: see ``PulseOutput/pursue(at:)``.
package final class PulseOutput: SoundOutput {
    /// How long a server may take to answer before it counts as hanging.
    static let patience: Duration = .seconds(2)
    /// A server that plays, but has sent nothing for this long, is asked for a timing update.
    static let quiet: Duration = .milliseconds(500)
    /// How long an attempt to connect to a hanging server is kept: it succeeds as soon as the server continues.
    static let connectLimit: Duration = .seconds(10)
    /// The most characters of a title that are sent to the server.
    static let titleLimit = 500

    /// The wanted stream, from ``open(_:hasVariableRate:isPaused:)`` to ``close()``.
    struct Wish {
        var format: PCMFormat
        var rate: Int
        /// Whether the rate may change while the stream plays.
        var hasVariableRate: Bool
        var isPaused: Bool
        /// Whether the stream has been on the requested device. If it has, and that device goes away, any device will
        /// do.
        var hasBeenOnDevice = false
        var takesAnyDevice = false
    }

    /// What mixers show of a stream.
    struct Mixing: Hashable {
        var title: String
        /// The volume that was set, or reported since then; nil while the volume that the server remembers applies.
        var volume: Double?
        var isMuted: Bool?
    }

    let settings: PulseSettings
    private let openLibrary: () throws(SoundError) -> Void
    private let waker: Waker?
    private(set) var loop: PulseLoop?

    var wish: Wish?
    /// Whether a stream will be wanted as soon as its format is known.
    private var isPrepared = false
    /// Whether a connection is needed.
    var wantsConnection: Bool { wish != nil || isPrepared }
    var connection: PulseConnection?
    var connectingSince: MonotonicInstant?
    var retry = RetryPlan()
    var playing: PulsePlaying? {
        didSet {
            guard playing == nil, let oldValue, oldValue.isReady else { return }
            last = (oldValue.count.written, oldValue.count.heard(at: .read()))
        }
    }
    /// The counts of the stream that was lost or closed last.
    private var last: (written: Int64, heard: Int64) = (0, 0)
    var streamRetry = RetryPlan()

    var mixing: Mixing

    private var lastLoss: SoundError?
    private var hasEvents = false
    package var onEvent: ((SoundEvent) -> Void)?

    package convenience init(_ settings: PulseSettings = PulseSettings()) {
        self.init(settings, openLibrary: PulseLibrary.open)
    }

    /// `openLibrary` opens the library; it is a parameter so that a test can do without the library.
    init(_ settings: PulseSettings, openLibrary: @escaping () throws(SoundError) -> Void) {
        self.settings = settings
        self.openLibrary = openLibrary
        waker = try? Waker()
        mixing = Mixing(title: settings.title, volume: settings.volume)
    }

    package var wakeUp: @Sendable () -> Void {
        { [waker] in waker?.wakeUp() }
    }

    // MARK: The stream

    package func prepare() { isPrepared = true }

    package func open(_ format: PCMFormat, hasVariableRate: Bool, isPaused: Bool) {
        playing = nil
        wish = Wish(format: format, rate: format.sampleRate, hasVariableRate: hasVariableRate, isPaused: isPaused)
        lastLoss = nil
        streamRetry = RetryPlan()
        if connection == nil { retry = RetryPlan() }
    }

    package func close() {
        playing = nil
        wish = nil
        isPrepared = false
    }

    package var room: Int { playing?.room ?? 0 }
    package var written: Int64 { playing?.count.written ?? last.written }
    package var heard: Int64 { playing?.count.heard(at: .read()) ?? last.heard }
    package var latency: Duration? { playing?.latency }

    package func write(_ values: UnsafeBufferPointer<Float>, rewind: Int) {
        playing?.write(values, rewind: rewind, at: .read())
    }

    package func setPaused(_ isPaused: Bool) {
        wish?.isPaused = isPaused
        playing?.setPaused(isPaused, at: .read())
    }

    package func setRate(_ hertz: Int) {
        guard let wish, wish.hasVariableRate, PCMFormat.sampleRates.contains(hertz), wish.rate != hertz else { return }
        self.wish?.rate = hertz
        playing?.setRate(hertz, at: .read())
    }

    package func drain() { playing?.drain(at: .read()) }

    package func setVolume(_ volume: Double) {
        mixing.volume = volume > 0 ? volume : 0
        applyVolume(mixing.volume, isMuted: nil)
    }

    package func setMuted(_ isMuted: Bool) {
        mixing.isMuted = isMuted
        applyVolume(nil, isMuted: isMuted)
    }

    package func setTitle(_ title: String) {
        mixing.title = String(title.prefix(Self.titleLimit))
        playing?.setTitle(mixing.title, at: .read())
    }

    // MARK: Waiting

    package func wait(until deadline: MonotonicInstant?, or descriptor: CInt?) {
        hasEvents = false
        // Everything that the server has sent meanwhile is handled before anything is judged by the clock.
        var until: MonotonicInstant? = .read()
        while true {
            turn(until: until, or: descriptor)
            let now = MonotonicInstant.read()
            pursue(at: now)
            let isOver = deadline.map { $0 <= now } ?? false
            if takeWake() || hasEvents || isOver { return }
            until = earlier(deadline, nextInstant(after: now))
        }
    }

    private var wasWoken = false

    private func takeWake() -> Bool {
        defer { wasWoken = false }
        return wasWoken || loop?.wasWoken() ?? false
    }

    private func turn(until: MonotonicInstant?, or descriptor: CInt?) {
        if let loop {
            loop.turn(until: until, or: descriptor)
            return receive(at: .read())
        }
        let left = until.map { max(0, ($0 - .read()).wholeNanoseconds + 999_999) / 1_000_000 } ?? -1
        guard let waker else {
            // Without a waker, because no descriptor was left, the output polls.
            poll(nil, 0, 100)
            wasWoken = true
            return
        }
        wasWoken = waker.wait(milliseconds: CInt(clamping: left), or: descriptor)
    }

    /// Opens the library and makes the loop unless that has been done. Returns false, and reports a loss, if that
    /// fails.
    func prepareLoop() -> Bool {
        if loop != nil { return true }
        do throws(SoundError) {
            try openLibrary()
        } catch {
            tell(.lost(error))
            return false
        }
        loop = waker.flatMap { PulseLoop(waker: $0) }
        if loop == nil { tell(.lost(.noServer("no descriptors are left"))) }
        return loop != nil
    }

    // MARK: Reporting

    /// Reports an event. A loss is reported only if it differs from the last loss.
    func tell(_ event: SoundEvent) {
        switch event {
        case .lost(let error):
            guard lastLoss != error else { return }
            lastLoss = error
        case .opened: lastLoss = nil
        default: break
        }
        hasEvents = true
        onEvent?(event)
    }

    /// Ends the wait without an event: the server wants more samples.
    func noteEvent() { hasEvents = true }
}
