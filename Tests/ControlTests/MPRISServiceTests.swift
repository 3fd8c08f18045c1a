// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Control

struct MPRISServiceTests {
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"

    @Test("A call to do what the player cannot do has no effect", arguments: ["Next", "Previous", "Pause", "Play"])
    func incapable(member: String) throws {
        var state = MPRISState()
        (state.canPlay, state.canPause) = (false, false)
        #expect(try answer(BusCall(interface: Self.player, member: member), state).request == nil)
        (state.canPlay, state.canPause, state.canGoNext, state.canGoPrevious) = (true, true, true, true)
        #expect(try answer(BusCall(interface: Self.player, member: member), state).request != nil)
    }

    @Test("SetPosition takes effect only for the current track and within its length")
    func setPosition() throws {
        var state = MPRISState()
        state.length = .seconds(10)
        func request(_ track: Int, _ microseconds: Int64) throws -> MPRISRequest? {
            let arguments: [BusValue] = [.objectPath("/org/aircheck/track/\(track)"), .integer(microseconds)]
            return try answer(
                BusCall(interface: Self.player, member: "SetPosition", signature: "ox", arguments: arguments), state
            ).request
        }
        #expect(try request(7, 1_000_000) == nil)
        state.canSeek = true
        #expect(try request(7, 1_000_000) == .setPosition(.seconds(1)))
        #expect(try request(7, 10_000_000) == .setPosition(.seconds(10)))
        #expect(try request(7, 10_000_001) == nil)
        #expect(try request(7, -1) == nil)
        #expect(try request(6, 1_000_000) == nil)
    }

    @Test("Seeks by the largest numbers are bounded")
    func hugeSeeks() throws {
        var state = MPRISState()
        state.canSeek = true
        for offset in [Int64.max, .min, 0] {
            let call = BusCall(
                interface: Self.player, member: "Seek", signature: "x", arguments: [.integer(offset)])
            guard case .seek(let distance) = try answer(call, state).request else {
                Issue.record("no seek by \(offset)")
                continue
            }
            #expect(distance <= .seconds(1_000_000_000) && distance >= .seconds(-1_000_000_000))
        }
    }

    @Test(
        "Volumes are limited to the range from 0 to 1",
        arguments: [(0.5, 0.5), (-3, 0), (1e300, 1), (-Double.infinity, 0), (.infinity, 1)])
    func volumes(value: Double, volume: Double) throws {
        #expect(try set("Volume", .real(value)) == .setVolume(volume))
    }

    @Test("Writable properties are set, and values that make no sense are refused")
    func settable() throws {
        #expect(try set("Shuffle", .boolean(true)) == .setShuffle(true))
        #expect(try set("LoopStatus", .string("Playlist")) == .setLoop(.queue))
        #expect(try set("Rate", .real(0)) == .pause)
        #expect(try set("Rate", .real(1)) == nil)
        for (name, value): (String, BusValue) in [
            ("Volume", .real(.nan)), ("Volume", .string("1")), ("Rate", .real(2)), ("LoopStatus", .string("Ever")),
            ("Shuffle", .integer(1)),
        ] {
            #expect(throws: BusRefusal.self) { try set(name, value) }
        }
    }

    @Test("A call without an interface is understood")
    func withoutInterface() throws {
        #expect(try answer(BusCall(interface: nil, member: "PlayPause"), MPRISState()).request == .playPause)
        #expect(try answer(BusCall(interface: nil, member: "Quit"), MPRISState()).request == .quit)
    }

    @Test("Every random call is answered or refused")
    func randomCalls() {
        var random = SplitMix64(seed: 14)
        let interfaces = [nil, "", Self.player, Self.properties, "org.mpris.MediaPlayer2", "org.freedesktop.DBus.Peer"]
        let members = [
            "Get", "GetAll", "Set", "Introspect", "Quit", "Raise", "Seek", "SetPosition", "OpenUri", "Play", "Nonsense",
            "",
        ]
        let values: [BusValue] = [
            .string(Self.player), .string("Volume"), .string(""), .boolean(true), .integer(.min), .real(.nan),
            .objectPath("/"), .string("LoopStatus"),
        ]
        var (answers, refusals) = (0, 0)
        for _ in 0..<20_000 {
            var state = MPRISState()
            state.canSeek = Bool.random(using: &random)
            state.queue = Bool.random(using: &random) ? .init() : nil
            let arguments = (0..<Int.random(in: 0...4, using: &random)).map { _ in values.randomElement(using: &random)
            }
            .compactMap(\.self)
            let signatures = ["", "x", "ox", "s", "ss", "ssv", arguments.map(\.type).joined()]
            let call = BusCall(
                interface: interfaces.randomElement(using: &random) ?? nil,
                member: members.randomElement(using: &random) ?? "",
                signature: signatures.randomElement(using: &random) ?? "",
                arguments: Bool.random(using: &random) ? arguments : nil)
            if (try? answer(call, state)) != nil { answers += 1 } else { refusals += 1 }
        }
        #expect(answers > 100 && refusals > 1_000)
    }

    private func set(_ name: String, _ value: BusValue) throws -> MPRISRequest? {
        var state = MPRISState()
        state.queue = .init()
        let arguments: [BusValue] = [.string(Self.player), .string(name), value]
        return try answer(
            BusCall(interface: Self.properties, member: "Set", signature: "ssv", arguments: arguments), state
        ).request
    }

    private func answer(_ call: BusCall, _ state: MPRISState) throws -> MPRISService.Answer {
        try MPRISService(state, track: 7, now: MonotonicInstant(nanoseconds: 0)).answer(call)
    }
}
