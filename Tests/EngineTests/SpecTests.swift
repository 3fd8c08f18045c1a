// SPDX-License-Identifier: MIT

import Engine
import HTTPServer
import RadioCore
import Relay
import Stations
import TestTools
import Testing

/// Specs of programmes and uses: how they are read from text, and which settings exclude each other.
struct SpecTests {
    private static let url = "http://radio.example/live"

    private static func station(_ urls: [String]) throws(SettingFault) -> StationSettings {
        try StationSettings(parsing: urls, userAgent: "test", headers: ["X-Token: secret"], giveUp: nil, seed: 1)
    }

    private static func programme(
        _ sources: [String], shuffle: Bool = false, once: Bool = false
    ) throws(SettingFault) -> ProgrammeSpec {
        try ProgrammeSpec(
            parsing: sources, shuffle: shuffle, once: once, seed: 1, ahead: .seconds(4), station: station)
    }

    private static func fallback(_ source: String) throws(SettingFault) -> ProgrammeSpec {
        try ProgrammeSpec(parsingFallback: source, ahead: .seconds(4), station: station)
    }

    private func field(_ read: () throws -> some Any) -> SettingField? {
        do {
            _ = try read()
            return nil
        } catch {
            return (error as? SettingFault)?.field
        }
    }

    @Test("A programme is a station or files, and only files have an order") func programmeKinds() throws {
        guard case .station(let settings) = try Self.programme([Self.url]) else { throw SetupError("no station") }
        #expect(settings.urls == [Self.url] && settings.headers.count == 1)
        #expect(field { try Self.programme([Self.url, "/tmp"]) } == .source)
        #expect(field { try Self.programme([Self.url], shuffle: true) } == .shuffle)
        #expect(field { try Self.programme([Self.url], once: true) } == .once)
        #expect(field { try Self.programme(["ftp://radio.example/"]) } == .url)
    }

    @Test("A fallback gets no header of the station, and must be playable again") func repeatableFallback() throws {
        guard case .station(let settings) = try Self.fallback(Self.url) else { throw SetupError("no station") }
        #expect(settings.urls == [Self.url] && settings.headers.isEmpty)
        #expect(field { try Self.fallback("-") } == .fallback)
        #expect(field { try Self.fallback("/nowhere") } == .fallback)
    }

    @Test("An output is a folder or standard output, and standard output has no name") func output() throws {
        #expect(try RecordingSpec.Output(parsing: "out", isNamed: true) == .folder("out"))
        #expect(try RecordingSpec.Output(parsing: "-", isNamed: false) == .standardOutput)
        #expect(field { try RecordingSpec.Output(parsing: "-", isNamed: true) } == .name)
        #expect(field { try RecordingSpec.Output(parsing: "", isNamed: false) } == .output)
    }

    @Test("Settings that exclude each other are refused") func conflicts() throws {
        let address = try SocketAddress(parsing: "127.0.0.1:8000")
        func fault(
            _ sources: [String] = [Self.url], once: Bool = false, orElse fallback: String? = nil,
            _ change: (inout MountSpec) -> Void = { _ in }
        ) throws -> SettingField? {
            var mount = MountSpec(path: "/live")
            change(&mount)
            let programme = try Self.programme(sources, once: once)
            let fallback = try fallback.map { try Self.fallback($0) }
            return field { try mount.check(programme, orElse: fallback, at: [address]) }
        }
        #expect(try fault() == nil)
        #expect(try fault { $0.linger = .seconds(1) } == .linger)
        let lingering = try fault { mount in
            mount.linger = .seconds(1)
            mount.settings.isOnDemand = true
        }
        #expect(lingering == nil)
        #expect(try fault(orElse: "/tmp") == nil)
        #expect(try fault(orElse: "/tmp") { $0.settings.hasFiller = false } == .fallback)
        #expect(try fault { $0.settings.burst = .seconds(11) } == .burst)
        #expect(try fault(["/tmp"], once: true) { $0.settings.isOnDemand = true } == .onDemand)
        #expect(try fault(["-"]) { $0.settings.isOnDemand = true } == .onDemand)
        #expect(try fault(["/tmp"]) { $0.settings.isOnDemand = true } == nil)
        #expect(try fault([Self.url, "http://127.0.0.1:8000/live"]) == .source)
        #expect(try fault(orElse: "http://127.0.0.1:8000/live") == .fallback)
    }

    @Test("A relay of itself is refused without showing its password") func selfRelay() throws {
        let programme = try Self.programme(["http://anna:secret@localhost:8000/live"])
        let fault = #expect(throws: SettingFault.self) {
            try MountSpec(path: "/live").check(programme, orElse: nil, at: [SocketAddress(parsing: "0.0.0.0:8000")])
        }
        #expect(fault?.description.contains("listen") == true && fault?.description.contains("secret") == false)
    }
}
