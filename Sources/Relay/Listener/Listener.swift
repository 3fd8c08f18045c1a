// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import Instants
import RadioCore

/// A client of a mount: a socket, a cursor in the station's audio, and a few counters.
///
/// A listener owns no audio: its bytes are written straight from the ring's slabs. The socket retains the listener
/// until the socket is closed.
final class Listener {
    let agent: String
    private let peer: ListenerPeer?
    let since: MonotonicInstant
    /// Bytes accepted by the socket, including the response head and metadata.
    private(set) var bytesSent: Int64 = 0
    /// How often the listener was too slow and skipped to a newer place.
    private(set) var skips: Int32 = 0
    /// How many more bytes of the client's input to read.
    private var inputLeft = mostInput

    /// The source of the listener's audio.
    private(set) var stream: ListenerStream
    /// Where the listener resumes when the station is back; set while the listener is sent the fallback.
    var home: Home?
    var place: ListenerPlace
    /// The listener's place on the mount's wheel.
    var seat: FlushSeat?
    let kind: ListenerKind
    /// Whether more data is ready, but the socket is full or the listener has had its share of this turn.
    private(set) var isBlocked = false
    private let socket: HTTPSocket
    private unowned let mount: Mount
    /// The time at which a client that plays from the moment it joined would have played media time zero of the output
    /// stream. Audio sent beyond the elapsed time is the client's cushion.
    private var playOrigin: MonotonicInstant
    private var lastProgress: MonotonicInstant
    /// When the listener was last up to date: it had been sent everything available.
    private var lastCaughtUp: MonotonicInstant
    private var skipWindow: MonotonicInstant
    private var skipsInWindow: Int32 = 0
    private var hasSentSinceSkip = true
    /// By how many seconds the listener may lag, whatever the mount's limit is, because it asked for so old audio.
    private let ownLag: Int32
    /// Whether the client has closed its side. Nearly always it has gone, which only a later write shows.
    private(set) var hasClosedSide = false

    enum State {
        /// Everything available has been sent.
        case caughtUp
        /// There is more, but the socket is full or the listener has had its share of this turn.
        case behind
        /// Everything that this listener can get has been sent.
        case over
        case broken
    }

    /// The limit of one flush: 8 writes of up to 64 KiB.
    private static let writesPerFlush = 8
    private static let bytesPerWrite = 64 * 1024
    private static let piecesPerWrite = 24
    /// The most bytes read after the request: a listener should send nothing more.
    private static let mostInput: Int32 = 64 * 1024
    private static let skipWindowLength = Duration.seconds(600)

    /// Creates a listener. `start` is the media time of the listener's first frame. `ownLag`: by how much it may lag,
    /// whatever the mount's limit is.
    init(
        _ socket: HTTPSocket, agent: String, kind: ListenerKind, hops: [RelayID], stream: ListenerStream,
        place: ListenerPlace, start: Duration, ownLag: Duration = .zero, mount: Mount, now: MonotonicInstant
    ) {
        self.socket = socket
        self.agent = agent
        self.kind = kind
        let isPlayer = !kind.isRecorder && hops.isEmpty
        peer = isPlayer ? nil : ListenerPeer(hops: hops, gapsBefore: stream.gaps.count(before: place.cursor))
        self.stream = stream
        self.place = place
        self.ownLag = Int32(clamping: ownLag.components.seconds)
        self.mount = mount
        since = now
        playOrigin = now - start
        lastProgress = now
        lastCaughtUp = now
        skipWindow = now
        socket.interest = .read
        socket.driver = self
    }

    /// Whether the socket has accepted nothing for too long, though data was ready.
    func isDead(_ now: MonotonicInstant, _ settings: MountSettings) -> Bool {
        isBlocked && now - lastProgress >= settings.patience
    }

    /// How long the listener has been behind the live edge.
    func timeBehind(_ now: MonotonicInstant) -> Duration { now - lastCaughtUp }

    /// By how much the listener may lag.
    func mostLag(_ settings: MountSettings) -> Duration {
        max(settings.mostLag(stream.lumps), .seconds(Int64(ownLag)))
    }

    var client: SocketAddress.Host { socket.client.host }

    /// The relays that this listener serves; empty for a player.
    var hops: [RelayID] { peer?.hops ?? [] }

    /// Whether the client's input is being read.
    var isReading: Bool { socket.interest.contains(.read) }

    /// Sets the size of the kernel's send buffer, which bridges the time between two flushes.
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
    /// Sends what is available, until everything is sent, the socket is full or the flush limit is reached.
    func flush(now: MonotonicInstant) -> State {
        let (ring, titles) = (stream.ring, stream.titles)
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

    /// Performs one gathered write. Returns nil if there is nothing to send.
    private func write(_ ring: Ring, _ titles: TitleBlocks) -> HTTPSocket.Sent? {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.piecesPerWrite) { pieces in
            var count = 0
            var bytes = 0
            // Advance a copy; the place itself moves by as many bytes as the socket accepts.
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

    /// Discards input after the request, up to a total limit. Returns false if the client has gone.
    func drainInput() -> Bool {
        switch socket.discard(upTo: Int(inputLeft)) {
        case .read(let count):
            inputLeft -= Int32(clamping: count)
            // The client is uploading. Further input stays in the kernel, whose buffer soon fills up. The next write
            // will reveal whether the client has gone.
            if inputLeft <= 0 { socket.interest.remove(.read) }
            return true
        case .nothing:
            return true
        case .end:
            // A recorder or relay closes both directions at once. A later write might not reveal that the client has
            // gone: while the station is unavailable nothing is sent, and the client would count as downstream all that
            // time.
            guard peer == nil else { return false }
            // A player may half-close its connection and keep listening. If it has gone, the next write fails.
            socket.interest.remove(.read)
            hasClosedSide = true
            mount.hasClosedSide()
            socket.clientHasClosed()
            return true
        case .broken:
            return false
        }
    }
}

// MARK: - The cushion

extension Listener {
    /// The client's cushion if it has been sent everything up to `mediaTime`: the audio sent beyond the elapsed time.
    /// Never negative: a player without audio pauses, and resumes from there.
    func cushion(_ mediaTime: Duration, _ now: MonotonicInstant) -> Duration {
        let cushion = playOrigin + mediaTime - now
        guard cushion < .zero else { return cushion }
        playOrigin = now - mediaTime
        return .zero
    }

    /// Moves the cushion by `duration`: the listener is sent so much more audio than counted in the media time. If
    /// `duration` is negative, the listener is sent less audio.
    func shiftCushion(by duration: Duration) {
        playOrigin = playOrigin + duration
    }
}

// MARK: - Other output streams

extension Listener {
    /// Moves to a frame of another output stream, after the rest of a half-sent frame. Returns false if that rest is no
    /// longer in the ring.
    func change(to other: ListenerStream, at cursor: RingCursor) -> Bool {
        let sent = stream.mediaTime - stream.ring.lag(of: place.cursor)
        guard place.move(to: cursor, header: other.header(at: cursor), in: stream.ring) else { return false }
        stream = other
        shiftCushion(by: sent - (other.mediaTime - other.ring.lag(of: cursor)))
        return true
    }
}

// MARK: - Gaps

extension Listener {
    /// Limits a recorder to the audio before the first gap since it joined. Returns false if that gap is no longer
    /// known.
    func endAtGap() -> Bool {
        guard kind.isRecorder, let peer, stream.gaps.count > peer.gapsBefore else { return true }
        peer.end = stream.gaps[peer.gapsBefore]
        return peer.end != nil
    }
}

// MARK: - Skipping

extension Listener {
    /// Skips `audio` and resumes at a newer place. Returns false if the listener should be closed.
    func skip(
        to cursor: RingCursor, leavingOut audio: Duration, _ ring: Ring, now: MonotonicInstant,
        _ settings: MountSettings
    ) -> Bool {
        // A recorder never skips audio, because it would not notice that audio is missing.
        guard !kind.isRecorder else { return false }
        let header = stream.header(at: cursor, comingFrom: place.cursor)
        guard now - lastProgress < settings.patience, place.move(to: cursor, header: header, in: ring)
        else { return false }
        shiftCushion(by: .zero - audio)
        // A listener that accepts no data is moved repeatedly, but that counts as a single skip.
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
