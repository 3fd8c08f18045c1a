// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport

/// The calls of one transfer to its delegate, with instants of virtual time.
final class Download: TransferDelegate {
    var phases: [TransferPhase] = []
    var head: ResponseHead?
    var body: [UInt8] = []
    var deliveries: [(at: MonotonicInstant, count: Int)] = []
    var hasEnded = false
    var error: TransferError?
    /// Called after each delivery.
    var meddle: (any HTTPTransfer) -> Void = { _ in }

    private let reactor: any Reactor

    init(on reactor: any Reactor) { self.reactor = reactor }

    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) { phases.append(phase) }
    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) { self.head = head }
    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        body += bytes
        deliveries.append((reactor.now, bytes.count))
        meddle(transfer)
    }
    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        hasEnded = true
        self.error = error
    }
}

/// An origin in virtual time with a client.
struct VirtualRig {
    let reactor = ManualReactor()
    let origin: VirtualOrigin

    init(_ script: LiveScript) {
        origin = VirtualOrigin(script, reactor: reactor)
        origin.answersAtOnce()
    }

    init(hosts: [String: LiveScript]) { origin = VirtualOrigin(hosts: hosts, reactor: reactor) }

    init(_ stream: LiveStream, onAir: Duration = .seconds(40)) {
        let script = LiveScript(.stream(stream), onAir: onAir)
        self.init(script)
    }

    /// Starts a download and lets `time` pass.
    func download(_ url: String = "http://radio.test/live", for time: Duration, metadata: Bool = false) -> Download {
        let download = Download(on: reactor)
        _ = origin.start(TransferRequest(url: url, wantsMetadata: metadata), delegate: download)
        reactor.advance(by: time)
        return download
    }
}
