// SPDX-License-Identifier: MIT

import Instants

/// Performs a ``LiveStream`` without socket or clock: decides which body bytes a connection gets, and when.
///
/// Call ``next(at:)`` with the time since the accept, perform the step, and call it again. The time must never be less
/// than in an earlier call.
struct LivePlayer {
    enum Step {
        /// Send these bytes, then request the next step at once.
        case send(Piece)
        /// Do nothing before this time; nil if nothing is ever sent again.
        case wait(until: Duration?)
        case close
        case reset
    }

    /// Bytes of the body.
    struct Piece {
        let bytes: ArraySlice<UInt8>
        /// The place of these bytes in ``Broadcast/bytes``; nil for everything that is not the programme.
        let range: Range<Int>?
    }

    /// A fault that has occurred.
    struct Struck {
        let effect: LiveFault.Effect
        /// The time since the accept.
        let time: Duration
        /// The place of the frame that contains the next byte.
        let place: Int
    }

    private enum Pace {
        case live
        case silent
        /// Audio is sent slowly, at a rate in bytes a second. `since` is the time at which this began, and `sent` the
        /// number of bytes sent since then.
        case trickle(Int, since: Duration, sent: Int)
        /// Audio that is late is sent at a multiple of its own speed. `since` is the time at which this began, and
        /// `from` the programme time that was reached then.
        case catchingUp(Int, since: Duration, from: Duration)
    }

    private(set) var struck: [Struck] = []
    private let stream: LiveStream
    private let interval: Int?
    /// The time since the accept at which the server dies.
    private let death: Duration?
    private var faults: ArraySlice<LiveFault>
    /// The audio being sent: the programme, or the advert.
    private var run: AudioRun
    private var later: AudioRun?
    /// The bytes to send before the audio: the Ogg header pages or the FLAC head. They are not part of the run.
    private var preamble: ArraySlice<UInt8> = []
    private var pace = Pace.live
    private var bodySent = 0
    private var audioSinceBlock = 0
    private var blocks = 0
    private var blockPending: ArraySlice<UInt8> = []
    private var lastAnnouncement: [UInt8]?
    /// The byte offset at which a fault in mid-frame occurs, once it is known.
    private var cutOffset: Int?
    /// The number of bytes of the pending block that are left when a fault occurs in it.
    private var cutRest: Int?
    /// The rate, in bytes a second, of the metadata block that will be the last; nil if no such fault is pending.
    private var floodPace: Int?
    /// Whether the pending block is the last thing that is sent.
    private var isFlooding = false

    private static let most = 1400
    /// How often late audio is sent.
    private static let catchUpTick = Duration.milliseconds(30)

    /// - Parameters:
    ///   - stream: The stream to send.
    ///   - programmeTime: How long the programme had been on air at the accept.
    ///   - wantsMetadata: Whether the client requested metadata.
    ///   - death: The time since the accept at which the server dies and resets all its connections; nil for never.
    init(_ stream: LiveStream, programmeTime: Duration, wantsMetadata: Bool, death: Duration?) {
        self.stream = stream
        self.death = death
        interval = stream.interval(wanted: wantsMetadata)
        faults = stream.faults[...]
        let base = programmeTime - stream.lag
        var programme = AudioRun(stream.programme, base: base, speed: stream.speed, block: stream.block)
        if let advert = stream.advert {
            programme.join(atTime: base - advert.catchUp)
            later = programme
            run = AudioRun(advert.audio, base: advert.isPaced ? .zero : advert.audio.length, block: stream.block)
        } else {
            programme.join(burst: stream.burst, atFrame: stream.burstBeginsWithFrame)
            run = programme
        }
        preamble = run.programme.preamble(at: run.position)
    }

    /// The next step at `time`, which is relative to the accept.
    mutating func next(at time: Duration) -> Step {
        if let death, time >= death {
            note(.reset, at: time)
            return .reset
        }
        while let fault = faults.first, hasCome(fault.moment, at: time) {
            faults = faults.dropFirst()
            if let end = strike(fault, at: time) { return end }
        }
        if let piece = piece(at: time) {
            return .send(piece)
        }
        if run.isOver, later == nil, preamble.isEmpty, blockPending.isEmpty, case .live = pace { return .close }
        return .wait(until: wakeUp(after: time))
    }

    // MARK: Faults

    private mutating func hasCome(_ moment: LiveFault.Moment, at time: Duration) -> Bool {
        switch moment {
        case .time(let due):
            return time >= due
        case .bytes(let count):
            return bodySent >= count
        case .frame(let after, let part):
            if cutOffset == nil, time >= after {
                cutOffset = run.programme.offset(ofPart: part, ofUnitAtOrAfter: run.position)
            }
            return cutOffset == run.position
        case .metadata:
            return cutRest != nil && cutRest == blockPending.count
        }
    }

    /// Applies a fault. Returns the final step if the fault ends the connection.
    private mutating func strike(_ fault: LiveFault, at time: Duration) -> Step? {
        (cutOffset, cutRest, floodPace) = (nil, nil, nil)
        note(fault.effect, at: time)
        switch fault.effect {
        case .close: return .close
        case .reset: return .reset
        case .stall: pace = .silent
        case .trickle(let rate): pace = .trickle(max(1, rate), since: time, sent: 0)
        case .metadataOnly(let rate): floodPace = max(1, rate)
        case .resume: pace = .live
        case .resumeAt(let speed):
            let reached = run.programme.time(ofEdge: run.position) ?? run.programme.length
            pace = .catchingUp(max(1, speed), since: time, from: reached)
        case .resumeLive:
            pace = .live
            run.skip(to: ticks(before: time))
        }
        return nil
    }

    private mutating func note(_ effect: LiveFault.Effect, at time: Duration) {
        struck.append(Struck(effect: effect, time: time, place: run.programme.place(ofByte: run.position)))
    }

    // MARK: Bytes

    private mutating func piece(at time: Duration) -> Piece? {
        var room = min(Self.most, allowance(at: time))
        if case .bytes(let count) = faults.first?.moment { room = min(room, count - bodySent) }
        guard room > 0 else { return nil }
        if !blockPending.isEmpty {
            if let cutRest { room = min(room, blockPending.count - cutRest) }
            spend(room)
            return Piece(bytes: take(room, from: &blockPending), range: nil)
        }
        if !preamble.isEmpty {
            return Piece(bytes: counted(take(room, from: &preamble), at: time), range: nil)
        }
        if run.isOver, let next = later {
            (run, later) = (next, nil)
            preamble = run.programme.preamble(at: run.position)
            return piece(at: time)
        }
        var end = edge(at: time)
        if let cutOffset { end = min(end, cutOffset) }
        room = min(room, end - run.position)
        if let interval { room = min(room, interval - audioSinceBlock) }
        guard room > 0 else { return nil }
        let start = run.position
        let bytes = counted(run.take(room), at: time)
        return Piece(bytes: bytes, range: later == nil ? start..<start + room : nil)
    }

    /// The number of programme bytes that may have been sent by `time`.
    private mutating func edge(at time: Duration) -> Int {
        let edge = run.edge(at: ticks(before: time))
        guard case .catchingUp(let speed, let since, let from) = pace else { return edge }
        let passed = Self.multiple(of: Self.catchUpTick, before: time - since)
        let reached = run.programme.edge(at: from + passed * speed)
        if reached >= edge { pace = .live }
        return min(edge, reached)
    }

    private func take(_ count: Int, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    private mutating func spend(_ count: Int) {
        bodySent += count
        if case .trickle(let rate, let since, let sent) = pace {
            pace = .trickle(rate, since: since, sent: sent + count)
        }
    }

    /// Counts audio bytes, and prepares the metadata block if one is due after them.
    private mutating func counted(_ audio: ArraySlice<UInt8>, at time: Duration) -> ArraySlice<UInt8> {
        spend(audio.count)
        guard let interval else { return audio }
        audioSinceBlock += audio.count
        if audioSinceBlock >= interval {
            audioSinceBlock = 0
            blockPending = makeBlock(at: time)[...]
        }
        return audio
    }

    private mutating func makeBlock(at time: Duration) -> [UInt8] {
        defer { blocks += 1 }
        let announcement = run.programme.announcement(at: run.position)
        var block = announcement == lastAnnouncement ? [0] : announcement ?? [0]
        if let announcement { lastAnnouncement = announcement }
        if case .metadata(let after) = faults.first?.moment, time >= after {
            if block.count < 2 { block = announcement ?? ICYBody.block("StreamTitle='';") }
            cutRest = block.count / 2
        }
        if let floodPace {
            block = ICYBody.block("StreamTitle='" + String(repeating: "x", count: 4065) + "';")
            pace = .trickle(floodPace, since: time, sent: 0)
            self.floodPace = nil
            isFlooding = true
        }
        if let mask = stream.lengthFlips[blocks] { block[0] ^= mask }
        return block
    }

    // MARK: Time

    private func allowance(at time: Duration) -> Int {
        switch pace {
        case .live, .catchingUp: return .max
        case .silent: return 0
        case .trickle(let rate, let since, let sent):
            if isFlooding, blockPending.isEmpty { return 0 }
            return Int((time - since).inSeconds * Double(rate)) - sent
        }
    }

    /// The time of the next step if there is nothing to send now.
    private func wakeUp(after time: Duration) -> Duration? {
        var times = [death]
        switch faults.first?.moment {
        case .time(let due): times.append(due)
        case .frame(let after, _) where after > time: times.append(after)
        default: break
        }
        switch pace {
        case .live:
            times.append(due())
        case .catchingUp(let speed, let since, let from):
            let airs = run.programme.time(ofEdge: run.position + 1)
            let caught = airs.map { airs in
                since + Self.multiple(of: Self.catchUpTick * speed, from: airs - from) / speed
            }
            times.append(caught.flatMap { caught in due().map { max($0, caught) } })
        case .silent:
            break
        case .trickle(let rate, let since, let sent):
            if isFlooding, blockPending.isEmpty { break }
            let paid = since + .nanoseconds(Int64((Double(sent + 1) / Double(rate) * 1e9).rounded(.up)) + 1)
            times.append(blockPending.isEmpty ? due().map { max($0, paid) } : paid)
        }
        return times.compactMap(\.self).min()
    }

    /// The last tick at or before a time; the time itself without ticks.
    private func ticks(before time: Duration) -> Duration {
        stream.tick > .zero ? Self.multiple(of: stream.tick, before: time) : time
    }

    /// The time at which the next audio may be sent, possibly in the past; nil at the end.
    private func due() -> Duration? {
        guard stream.tick > .zero else { return run.due() }
        return run.due().map { Self.multiple(of: stream.tick, from: $0) }
    }

    private static func multiple(of tick: Duration, before time: Duration) -> Duration {
        tick.scaled(time.wholeNanoseconds / tick.wholeNanoseconds)
    }

    private static func multiple(of tick: Duration, from time: Duration) -> Duration {
        let before = multiple(of: tick, before: time)
        return before >= time ? before : before + tick
    }
}
