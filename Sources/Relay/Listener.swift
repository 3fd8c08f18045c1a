// SPDX-License-Identifier: MIT

package import EventLoop
import Glibc
package import HTTPServer
import Instants
import RadioCore

/// One client of a mount: a socket, a place in the station's ring, a few counters. Confined to the loop's thread.
///
/// It owns no audio: what it is sent leaves straight from the ring's slabs.
package final class Listener {
    package let peer: SocketAddress
    /// Bytes that its socket took, the response head and metadata included.
    package private(set) var bytesSent: Int64 = 0
    /// How often it was too slow and went on at a newer place.
    package private(set) var skips = 0

    var place: ListenerPlace
    /// Which of the mount's flushes it takes part in.
    let slot: Int
    private let socket: HTTPSocket
    private unowned let mount: Mount
    private var lastProgress: MonotonicInstant
    private var skipWindow: (start: MonotonicInstant, skips: Int)
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
    private static let skipWindowLength = Duration.seconds(600)

    init(
        _ request: HTTPRequest, socket: HTTPSocket, place: ListenerPlace, slot: Int, mount: Mount, now: MonotonicInstant
    ) {
        peer = request.peer
        self.mount = mount
        self.socket = socket
        self.place = place
        self.slot = slot
        lastProgress = now
        skipWindow = (now, 0)
        socket.interest = .read
        socket.driver = self
    }

    var isOpen: Bool { socket.isOpen }

    /// The kernel's buffer is what carries a listener over the time between two flushes.
    func setSendBuffer(_ bytes: Int) {
        socket.setSendBuffer(bytes)
    }

    func close() {
        socket.close()
    }

    /// Sends what there is, until it is all sent or the socket is full.
    func flush(_ ring: Ring, _ titles: TitleTimeline, now: MonotonicInstant) -> State {
        for _ in 0..<Self.writesPerFlush {
            switch write(ring, titles) {
            case nil:
                socket.interest.remove(.write)
                return place.isOver ? .over : .caughtUp
            case .wrote(let count):
                bytesSent += Int64(count)
                lastProgress = now
                hasSentSinceSkip = true
            case .full:
                socket.interest.insert(.write)
                return .behind
            case .broken:
                return .broken
            }
        }
        socket.interest.insert(.write)
        return .behind
    }

    /// One gathered write; nil where there is nothing to send.
    private func write(_ ring: Ring, _ titles: TitleTimeline) -> HTTPSocket.Sent? {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.piecesPerWrite) { pieces in
            var count = 0
            var bytes = 0
            // Goes ahead on a copy; the place itself moves by what the socket took.
            var probe = place
            while count < pieces.count, bytes < Self.bytesPerWrite, let span = probe.span(in: ring, titles) {
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
            guard case .wrote(var left) = sent else { return sent }
            while left > 0, let span = place.span(in: ring, titles) {
                let part = min(left, span.count)
                place.advance(by: part)
                left -= part
            }
            return sent
        }
    }

    /// Goes on at a newer place. False where it is no longer worth keeping.
    func skip(to cursor: RingCursor, _ ring: Ring, now: MonotonicInstant, _ settings: MountSettings) -> Bool {
        guard now - lastProgress < settings.patience, place.skip(to: cursor, in: ring) else { return false }
        // One that takes nothing at all is moved on again and again, but has skipped only once.
        guard hasSentSinceSkip else { return true }
        hasSentSinceSkip = false
        skips += 1
        if now - skipWindow.start > Self.skipWindowLength { skipWindow = (now, 0) }
        skipWindow.skips += 1
        return skipWindow.skips <= settings.skips
    }

    /// Reads and drops what the client sends after its request. False where the connection is broken.
    func drainInput() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            switch socket.receive(into: buffer) {
            case .read, .nothing:
                return true
            case .end:
                // It will say nothing more, but may well go on listening; if it is gone, the next write tells.
                socket.interest.remove(.read)
                return true
            case .broken:
                return false
            }
        }
    }
}

extension Listener: HTTPSocketDriver {
    package func socketIsReady(_ socket: HTTPSocket, for readiness: Readiness) {
        mount.isReady(self, for: readiness)
    }
}
