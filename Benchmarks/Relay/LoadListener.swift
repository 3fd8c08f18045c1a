// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// One listener of a load generator: a socket, and the times at which data arrived.
///
/// Most listeners discard received data without copying or reading it; some keep it.
final class LoadListener {
    enum State: Equatable {
        case connecting, asking, listening
        /// The connection is closed; `heard` states whether the listener got a valid response before.
        case closed(heard: Bool)
    }

    let descriptor: CInt
    private(set) var state = State.connecting
    /// The time from the scheduled connect to the first byte of audio.
    private(set) var firstByte: Duration?
    private(set) var sample: LoadSample?
    /// The number of audio bytes received since ``startMeasuring()``.
    private(set) var bytes = 0

    private let due: MonotonicInstant
    private let keeps: Bool
    private var head: [UInt8] = []
    private var lastDelivery: MonotonicInstant
    private var measuredSince: MonotonicInstant
    private var longestPause = Duration.zero

    init(_ descriptor: CInt, due: MonotonicInstant, keeps: Bool) {
        self.descriptor = descriptor
        self.due = due
        self.keeps = keeps
        lastDelivery = due
        measuredSince = due
    }

    /// Whether the listener has received audio, or never will.
    var isSettled: Bool {
        if case .closed = state { true } else { firstByte != nil }
    }

    /// Sends the request; false if the connection is not established yet.
    func ask(_ request: [UInt8]) -> Bool {
        let count = send(descriptor, request, request.count, CInt(MSG_NOSIGNAL))
        // A new connection accepts a few hundred bytes in one piece.
        if count == request.count {
            state = .asking
            return true
        }
        if errno == EAGAIN || errno == ENOTCONN { return false }
        end()
        return true
    }

    /// Receives the data that has arrived. `buffer` is scratch space.
    func receive(into buffer: UnsafeMutableRawBufferPointer) {
        // With MSG_TRUNC, TCP discards the received data (tcp(7)).
        let count =
            state == .listening && !keeps
            ? recv(descriptor, nil, Self.discard, CInt(MSG_TRUNC))
            : recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            return end()
        }
        if state == .listening {
            if keeps { sample?.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            deliver(count)
        } else {
            readHead(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Resets the measured values. The current pause still counts.
    func startMeasuring() {
        (measuredSince, bytes, longestPause) = (lastDelivery, 0, .zero)
    }

    /// The values since ``startMeasuring()``: the mean rate in bytes a second, and the longest pause.
    ///
    /// The rate is measured from delivery to delivery. Deliveries are a second apart, and the position of the window
    /// between them must not matter. But if the last delivery is so old that no more may follow, the time until the end
    /// of the window counts as well.
    func measured(until end: MonotonicInstant) -> (rate: Double, longestPause: Duration) {
        let last = end - lastDelivery
        let time = (last > Self.longestInterval ? end : lastDelivery) - measuredSince
        return (time > .zero ? Double(bytes) / (time / .seconds(1)) : 0, max(longestPause, last))
    }

    func end() {
        if case .closed = state { return }
        state = .closed(heard: state == .listening)
        close(descriptor)
    }

    private func deliver(_ count: Int) {
        let now = MonotonicInstant.now
        if firstByte == nil { firstByte = now - due }
        bytes += count
        longestPause = max(longestPause, now - lastDelivery)
        lastDelivery = now
    }

    private func readHead(_ more: UnsafeRawBufferPointer) {
        head += more
        guard let end = head.firstRange(of: Self.endOfHead)?.upperBound else {
            if head.count > Self.longestHead { self.end() }
            return
        }
        // "HTTP/1.0 200 OK"
        guard head.starts(with: Array("HTTP/1.".utf8)), head.dropFirst(8).starts(with: Array(" 200 ".utf8)) else {
            return self.end()
        }
        state = .listening
        if keeps { sample = LoadSample(interval: Self.metadataInterval(in: head[..<end])) }
        let audio = head[end...]
        head = []
        // If the head came without audio, the next delivery is the first.
        guard !audio.isEmpty else { return }
        audio.withUnsafeBytes { sample?.append($0) }
        deliver(audio.count)
    }

    private static func metadataInterval(in head: ArraySlice<UInt8>) -> Int? {
        let fields = String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        let name = "icy-metaint:"
        guard let field = fields.first(where: { $0.hasPrefix(name) }) else { return nil }
        return Int(field.dropFirst(name.count).filter { $0 != " " })
    }

    private static let longestInterval = Duration.seconds(2)
    private static let endOfHead = Array("\r\n\r\n".utf8)
    private static let longestHead = 16_384
    /// The number of bytes discarded at once: more than a socket buffers.
    private static let discard = 1 << 24
}
