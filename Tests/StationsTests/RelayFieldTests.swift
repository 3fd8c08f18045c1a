// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import Stations
import Testing

/// What a station's requests say besides what the server needs.
struct RelayFieldTests {
    @Test("F14, F16: every request asks for no filler, and names the relay and those who listen to it just then")
    func fields() throws {
        let reactor = ManualReactor()
        let client = HandClient()
        let station = Station(
            settings: StationSettings(urls: ["http://radio.test/live"], userAgent: "test"), client: client,
            reactor: reactor)
        var listeners = "a"
        station.relayFields = { [.init(name: "Via", value: "1.1 \(listeners)")] }
        station.start()
        reactor.advance(by: .milliseconds(1))
        listeners = "b"
        try #require(client.transfers.last).end(nil)
        reactor.advance(by: .seconds(1))
        let fields = client.transfers.map { transfer in transfer.request.openHeaders.map { "\($0.name): \($0.value)" } }
        try #require(fields.count >= 2)
        #expect(fields[0] == ["Aircheck-Filler: none", "Via: 1.1 a"])
        #expect(fields[1] == ["Aircheck-Filler: none", "Via: 1.1 b"])
        station.stop()
    }
}
