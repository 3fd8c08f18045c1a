// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import Instants
import RadioCore

/// One client of a mount: a socket, a place in the station's audio, a few counters. Confined to the loop's thread.
///
/// It owns no audio: what it is sent leaves straight from the ring's slabs. Its socket holds it, until it is closed.
final class Listener {
    let agent: String
    private let peer: ListenerPeer?
    let since: MonotonicInstant
    /// Bytes that its socket took, the response head and metadata included.
    private(set) var bytesSent: Int64 = 0
    /// How often it was too slow and went on at a newer place.
    private(set) var skips: Int32 = 0
    /// How many bytes of the client's are still read.
    private var inputLeft = mostInput

    /// What it gets its audio from.
    private(set) var wire: Wire
    /// It hears the fallback: where it belongs.
    var home: Home?
    var place: ListenerPlace
    /// Where it stands on the mount's wheel.
    var seat: FlushSeat?
    let kind: ListenerKind
    /// Its socket is full: there is more for it, but not now.
    private(set) var isBlocked = false
    private let socket: HTTPSocket
    private unowned let mount: Mount
    /// When the wire's media time of zero would have been heard, had it been sent and had the client played from the
    /// moment it joined: what it was sent beyond the time that has passed is its cushion.
    private var playOrigin: MonotonicInstant
    private var lastProgress: MonotonicInstant
    /// When it had been sent all that there was.
    private var lastCaughtUp: MonotonicInstant
    private var skipWindow: MonotonicInstant
    private var skipsInWindow: Int32 = 0
    private var hasSentSinceSkip = true

    enum State {
        /// All that there is has been sent.
        case caughtUp
        /// There is more, but not now: its socket is full, or it has had its share of this turn.
        case behind
        /// All that it can get has been sent.
        case over
        case broken
    }

    /// What one flush sends at most: 8 writes of up to 64 KiB.
    private static let writesPerFlush = 8
    private static let bytesPerWrite = 64 * 1024
    private static let piecesPerWrite = 24
    /// A listener has nothing to say after its request.
    private static let mostInput: Int32 = 64 * 1024
    private static let skipWindowLength = Duration.seconds(600)

    /// `start` is the media time of its first frame.
    init(
        _ socket: HTTPSocket, agent: String, kind: ListenerKind, hops: [RelayID], wire: Wire, place: ListenerPlace,
        start: Duration, mount: Mount, now: MonotonicInstant
    ) {
        self.socket = socket
        self.agent = agent
        self.kind = kind
        let isPlayer = kind != .recorder && hops.isEmpty
        peer = isPlayer ? nil : ListenerPeer(hops: hops, gapsBefore: wire.gaps.count)
        self.wire = wire
        self.place = place
        self.mount = mount
        since = now
        playOrigin = now - start
        lastProgress = now
        lastCaughtUp = now
        skipWindow = now
        socket.interest = .read
        socket.driver = self
    }

    /// It has taken nothing for too long, though there was something for it.
    func isDead(_ now: MonotonicInstant, _ settings: MountSettings) -> Bool {
        isBlocked && now - lastProgress >= settings.patience
    }

    /// For how long it has not had all that there was.
    func timeBehind(_ now: MonotonicInstant) -> Duration { now - lastCaughtUp }

    var client: SocketAddress.Host { socket.client }

    /// The relays that it stands for; none where it is a player.
    var hops: [RelayID] { peer?.hops ?? [] }

    /// Whether what it sends is read.
    var isReading: Bool { socket.interest.contains(.read) }

    /// The kernel's buffer is what carries a listener over the time between two flushes.
    func setSendBuffer(_ bytes: Int) {
        socket.setSendBuffer(bytes)
    }

    func close() {
        socket.close()
    }
}

extension Listener: FlushMember {}

extension Listener: HTTPSocketDriver {
    func socketIsReady(_ socket: HTTPSocket, for readiness: Readiness) {
        mount.isReady(self, for: readiness)
    }
}

// MARK: - Sending

extension Listener {
    /// Sends what there is, until it is all sent or the socket is full.
    func flush(now: MonotonicInstant) -> State {
        let (ring, titles) = (wire.ring, wire.titles)
        for _ in 0..<Self.writesPerFlush {
            switch write(ring, titles) {
            case nil:
                setBlocked(false)
                lastCaughtUp = now
                return place.isOver ? .over : .caughtUp
            case .wrote(let count):
                bytesSent += Int64(count)
                mount.sent(count)
                lastProgress = now
                hasSentSinceSkip = true
            case .full:
                setBlocked(true)
                return .behind
            case .broken:
                return .broken
            }
        }
        setBlocked(true)
        return .behind
    }

    private func setBlocked(_ isBlocked: Bool) {
        guard isBlocked != self.isBlocked else { return }
        self.isBlocked = isBlocked
        if isBlocked { socket.interest.insert(.write) } else { socket.interest.remove(.write) }
    }

    /// One gathered write; nil where there is nothing to send.
    private func write(_ ring: Ring, _ titles: TitleBlocks) -> HTTPSocket.Sent? {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.piecesPerWrite) { pieces in
            var count = 0
            var bytes = 0
            // Goes ahead on a copy; the place itself moves by what the socket took.
            var probe = place
            while count < pieces.count, bytes < Self.bytesPerWrite,
                let span = probe.span(in: ring, titles, upTo: peer?.end)
            {
                pieces[count] = iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: span.baseAddress), iov_len: span.count)
                probe.advance(by: span.count)
                count += 1
                bytes += span.count
            }
            guard count > 0 else {
                place = probe
                return nil
            }
            let sent = socket.send(UnsafeMutableBufferPointer(rebasing: pieces[..<count]))
            guard case .wrote(let written) = sent else { return sent }
            if written == bytes { place = probe } else { advance(by: written, ring, titles) }
            return sent
        }
    }

    private func advance(by count: Int, _ ring: Ring, _ titles: TitleBlocks) {
        var left = count
        while left > 0, let span = place.span(in: ring, titles, upTo: peer?.end) {
            let part = min(left, span.count)
            place.advance(by: part)
            left -= part
        }
    }

    /// Drops what the client sends after its request, up to a limit in all. False where the client has gone.
    func drainInput() -> Bool {
        switch socket.discard(upTo: Int(inputLeft)) {
        case .read(let count):
            inputLeft -= Int32(clamping: count)
            // It uploads. What it goes on to send stays with the kernel, which soon takes no more; that the client has
            // gone is told by the next write.
            if inputLeft <= 0 { socket.interest.remove(.read) }
            return true
        case .nothing:
            return true
        case .end:
            // A recorder or a relay closes both ways at once. No write would tell that it has gone: while the station
            // is away it is sent nothing, and it would count as one of those below for as long.
            guard peer == nil else { return false }
            // A player will say nothing more, but may well go on listening; if it is gone, the next write tells.
            socket.interest.remove(.read)
            return true
        case .broken:
            return false
        }
    }
}

// MARK: - Its cushion

extension Listener {
    /// How much more audio it was sent than time has passed, if it has been sent all up to `mediaTime`. Never negative:
    /// a player that had nothing to play waits, and goes on from there.
    func cushion(_ mediaTime: Duration, _ now: MonotonicInstant) -> Duration {
        let cushion = playOrigin + mediaTime - now
        guard cushion < .zero else { return cushion }
        playOrigin = now - mediaTime
        return .zero
    }

    /// Takes into account that the listener is sent `duration` of audio more than the wire's media time says; less
    /// where that is negative.
    func shiftCushion(by duration: Duration) {
        playOrigin = playOrigin + duration
    }
}

// MARK: - Other wires

extension Listener {
    /// Goes on at a frame of another wire, after the rest of the one that is half sent. False where that rest is gone.
    func change(to other: Wire, at cursor: RingCursor) -> Bool {
        let sent = wire.mediaTime - wire.ring.lag(of: place.cursor)
        guard place.move(to: cursor, header: other.header(at: cursor), in: wire.ring) else { return false }
        wire = other
        shiftCushion(by: sent - (other.mediaTime - other.ring.lag(of: cursor)))
        return true
    }
}

// MARK: - Gaps

extension Listener {
    /// Gives a recorder all up to the first gap since it joined, and no more. False where that is long past.
    func endAtGap() -> Bool {
        guard kind == .recorder, let peer, wire.gaps.count > peer.gapsBefore else { return true }
        peer.end = wire.gaps[peer.gapsBefore]
        return peer.end != nil
    }
}

// MARK: - Skipping

extension Listener {
    /// Goes on at a newer place, which leaves out `audio`. False where the listener is no longer worth keeping.
    func skip(
        to cursor: RingCursor, leavingOut audio: Duration, _ ring: Ring, now: MonotonicInstant,
        _ settings: MountSettings
    ) -> Bool {
        // To a recorder it would be as if nothing were missing.
        guard kind != .recorder else { return false }
        let header = wire.header(at: cursor, comingFrom: place.cursor)
        guard now - lastProgress < settings.patience, place.move(to: cursor, header: header, in: ring)
        else { return false }
        shiftCushion(by: .zero - audio)
        // A listener that takes nothing at all is moved on again and again, but has skipped only once.
        guard hasSentSinceSkip else { return true }
        hasSentSinceSkip = false
        skips += 1
        mount.skipped()
        if now - skipWindow > Self.skipWindowLength {
            skipWindow = now
            skipsInWindow = 0
        }
        skipsInWindow += 1
        return Int(skipsInWindow) <= settings.skips
    }
}
