// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import TestSupport
import Testing

@testable import Stations

/// What a station's requests say beyond what the server needs.
struct RelayFieldTests {
    @Test("F14, F16: Every request asks for no filler, and names the relay and its listeners at that moment")
    func fields() throws {
        let station = VirtualStation(LiveScript(.byHand))
        var listeners = "a"
        station.station.requestFields = { [.init(name: "Via", value: "1.1 \(listeners)")] }
        station.startAtOnce()
        listeners = "b"
        try station.connection(0).end()
        station.reactor.advance(by: .seconds(1))
        let fields = station.origin.byHand.map { $0.request.openHeaders.map { "\($0.name): \($0.value)" } }
        try #require(fields.count >= 2)
        #expect(fields[0] == ["Aircheck-Filler: none; new", "Via: 1.1 a"])
        #expect(fields[1] == ["Aircheck-Filler: none; new", "Via: 1.1 b"])
        station.station.stop()
    }

    @Test("F16: The request that resumes a file names the listeners at that moment")
    func resumed() throws {
        let station = VirtualStation.byHand()
        var listeners = "a"
        station.station.requestFields = { [.init(name: "Via", value: "1.1 \(listeners)")] }
        // The first request was made before there were fields to send.
        try station.connection(0).end(TransferError(.dropped, "it broke off"))
        station.reactor.advance(by: .seconds(1))
        let file = try station.connection(1)
        let bytes = SampleProgramme(200).bytes
        file.bring(
            bytes, fields: [("content-length", "\(bytes.count * 2)"), ("accept-ranges", "bytes")],
            isStation: false)
        listeners = "b"
        file.end(TransferError(.dropped, "it broke off"))
        for (number, next) in ["c", "d"].enumerated() {
            station.reactor.advance(by: .seconds(1))
            let rest = try station.connection(2 + number)
            #expect((rest.request.resumeAt ?? 0) > 0)
            #expect(rest.request.openHeaders.last?.value == "1.1 \(listeners)")
            listeners = next
            // The file is requested again after a pause, in which listeners come and go.
            rest.end(TransferError(.dropped, "it broke off"))
        }
        station.station.stop()
    }

    @Test("F18: An age that a relay reports is read to the millisecond, and an unreadable one is ignored")
    func ages() {
        for milliseconds in [0, 1, 70, 999, 1_000, 3_412, 119_999, 120_000] as [Int64] {
            let age = Duration.milliseconds(milliseconds)
            #expect(AgeField.value(age).flatMap(AgeField.age) == age)
        }
        #expect(AgeField.value(.milliseconds(3_070)) == "3.070")
        #expect(AgeField.value(.milliseconds(-1)) == nil && AgeField.value(.seconds(121)) == nil)
        for text in ["", "-1", "120.001", "1e300", "inf", "nan", "soon", "1 s", String(repeating: "9", count: 5_000)] {
            #expect(AgeField.age(text) == nil, "\(text.prefix(20))")
        }
    }
}
