// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import NetworkChanges
import Storage
import WallClock

/// The resources of which a process has only one, each created on first use: the HTTP client, with the watches on
/// network and clock, and the writer thread.
final class Resources {
    /// Called when routes or addresses of this machine have changed.
    var onNetworkChange: (() -> Void)?
    /// Called when the wall clock was set.
    var onClockStep: (() -> Void)?

    private let reactor: any Reactor
    private var madeClient: CurlClient?
    private var networkChanges: NetworkChanges?
    private var clockSteps: ClockSteps?
    private var writer: WriterThread?

    init(_ reactor: any Reactor) {
        self.reactor = reactor
    }

    var client: any HTTPClient {
        if let madeClient { return madeClient }
        let made = CurlClient(reactor: reactor)
        madeClient = made
        networkChanges = NetworkChanges(reactor: reactor) { [unowned self] in
            // The client's current connection attempts may still use the old network.
            made.networkChanged()
            onNetworkChange?()
        }
        clockSteps = ClockSteps(reactor: reactor) { [unowned self] in onClockStep?() }
        return made
    }

    func writerQueue() throws(StorageError) -> WriterQueue {
        if let writer { return writer.queue }
        let made = try WriterThread()
        writer = made
        return made.queue
    }

    /// Nil before anything is recorded.
    var writerFigures: WriterFigures? { writer?.queue.figures }

    /// Releases all resources.
    func close() {
        networkChanges = nil
        clockSteps = nil
        madeClient?.close()
        madeClient = nil
        writer?.shutDown()
        writer = nil
    }
}
