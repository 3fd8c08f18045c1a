// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants

/// HTTP in virtual time: a live station answers every request and sends each of its blocks at that block's instant. A
/// simulated kernel gathers the bytes as requested.
final class PacedClient: HTTPClient {
    struct Block {
        /// The time at which the block is sent, counted from the request.
        var at: Duration
        var bytes: [UInt8]
    }

    /// How often the station's process had to wake up for bytes.
    private(set) var deliveries = 0
    private let reactor: ManualReactor
    private let blocks: [Block]
    private let type: String

    init(_ blocks: [Block], type: String = "audio/mpeg", reactor: ManualReactor) {
        self.blocks = blocks
        self.type = type
        self.reactor = reactor
    }

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        let exchange = Exchange(client: self, delegate: delegate)
        exchange.begin(
            ResponseHead(
                status: 200, fields: [("content-type", type), ("icy-name", "Paced")], finalURL: request.url))
        return exchange
    }

    private final class Exchange: HTTPTransfer {
        private let client: PacedClient
        private var delegate: (any TransferDelegate)?
        private let began: MonotonicInstant
        private var next = 0
        private var kernel: [UInt8] = []
        private var lowWater = 1
        private lazy var timer = client.reactor.makeTimer { [unowned self] in blockIsDue() }

        init(client: PacedClient, delegate: any TransferDelegate) {
            self.client = client
            self.delegate = delegate
            began = client.reactor.now
        }

        func begin(_ head: ResponseHead) {
            client.reactor.defer { [self] in
                for phase in [TransferPhase.resolving, .connecting, .waitingForHead, .receiving] {
                    delegate?.transfer(self, entered: phase)
                }
                delegate?.transfer(self, received: head)
                waitForBlock()
            }
        }

        func cancel() {
            delegate = nil
            timer.cancel()
        }

        func pause() {}
        func resume() {}

        func gather(_ bytes: Int, isCoalesced: Bool) {
            lowWater = bytes
            client.reactor.defer { [weak self] in self?.wake() }
        }

        private func waitForBlock() {
            guard delegate != nil, next < client.blocks.count else { return }
            timer.arm(at: began + client.blocks[next].at)
        }

        private func blockIsDue() {
            while next < client.blocks.count, began + client.blocks[next].at <= client.reactor.now {
                kernel += client.blocks[next].bytes
                next += 1
            }
            wake()
            waitForBlock()
        }

        private func wake() {
            guard let delegate, !kernel.isEmpty, kernel.count >= lowWater else { return }
            let bytes = kernel
            kernel = []
            client.deliveries += 1
            bytes.withUnsafeBytes { delegate.transfer(self, received: $0) }
            delegate.transferDelivered(self)
        }
    }
}
