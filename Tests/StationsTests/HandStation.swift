// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Testing

@testable import Stations

/// A station whose connections receive what the test passes them.
final class HandStation {
    let reactor = ManualReactor()
    let client = HandClient()
    let station: Station
    let sink: Sink

    var heard: Heard { sink.heard }

    final class Sink: StreamSink {
        /// There is no limit, so the last frame waits for its successor.
        let tolerance: Duration? = nil
        var heard = Heard()
        var meddle: ((StreamEvent) -> Void)?
        private let reactor: ManualReactor

        init(_ reactor: ManualReactor) { self.reactor = reactor }

        func receive(_ event: StreamEvent) {
            heard.add(event, at: reactor.now, reactor.wallNow)
            meddle?(event)
        }
    }

    init(change: (inout StationSettings) -> Void = { _ in }) {
        var settings = StationSettings(urls: ["http://radio.test/"], userAgent: "test", seed: 1)
        change(&settings)
        station = Station(settings: settings, client: client, reactor: reactor)
        sink = Sink(reactor)
        station.hub.attach(sink)
        station.start()
        reactor.advance(by: .zero)
    }

    func connection(_ number: Int) throws -> HandClient.Transfer {
        try #require(number < client.transfers.count ? client.transfers[number] : nil)
    }
}

extension HandClient.Transfer {
    /// Receives a head if there was none yet, and all frames at once.
    func bring(
        _ bytes: [UInt8], fields: [(String, String)] = [], isStation: Bool = true, ends: Bool = false
    ) {
        if !hasHead { receiveHead(interval: nil, fields: fields, isStation: isStation) }
        receive(bytes[...])
        if ends { end() }
    }
}
