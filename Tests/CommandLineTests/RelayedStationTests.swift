// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Testing

@testable import aircheck

/// Where `aircheck play STATION` finds a station of the running daemon.
struct RelayedStationTests {
    private static let tcp = "http://127.0.0.1:8000/fip"
    private static let socket = "http://unix:/run/aircheck/web.sock:/fip"

    /// A daemon's status, with one station that is relayed at these addresses and one that is not relayed.
    private static func status(
        _ urls: [String], needsPassword: Bool = false, listen: [String] = [], playSocket: String? = nil
    ) -> JSONValue {
        [
            "needs_password": .bool(needsPassword), "listen": .array(listen.map(JSONValue.string)),
            "play_socket": playSocket.map(JSONValue.string) ?? .null,
            "stations": [
                ["id": "fip", "mount": "/fip", "urls": .array(urls.map(JSONValue.string))],
                ["id": "log", "mount": .null, "urls": []],
            ],
        ]
    }

    private static func find(
        _ id: String, _ status: JSONValue, hasPassword: Bool = false, mayConnect: Bool = false
    ) throws(SettingFault) -> RelayedStation? {
        try RelayedStation.find(id, in: status, hasPassword: hasPassword) { _ in mayConnect }
    }

    /// The message about a station that cannot be played.
    private static func refusal(_ id: String, _ status: JSONValue) -> String? {
        do throws(SettingFault) {
            _ = try Self.find(id, status)
            return nil
        } catch {
            return error.words(\.rawValue)
        }
    }

    @Test(
        "The first network address is used, wherever Unix sockets stand in the list",
        arguments: [[socket, tcp], [tcp, socket]])
    func network(urls: [String]) throws {
        let status = Self.status(urls + ["http://[::1]:8000/fip"])
        #expect(try Self.find("fip", status) == RelayedStation(url: Self.tcp))
    }

    @Test(
        "The loopback address is preferred to the address in a network that the machine may leave",
        arguments: [
            ("0.0.0.0:8000", "http://127.0.0.1:8000/fip"), (":8000", "http://127.0.0.1:8000/fip"),
            ("[::]:8000", "http://[::1]:8000/fip"), ("[::1]:81", "http://[::1]:81/fip"),
            ("192.168.1.5:8000", "http://192.168.1.5:8000/fip"),
        ])
    func loopback(listen: String, url: String) throws {
        let status = Self.status(["http://192.168.1.5:8000/fip"], listen: ["unix:/run/a.sock", listen])
        #expect(try Self.find("fip", status) == RelayedStation(url: url))
    }

    @Test("The daemon's user needs no address and no password")
    func owner() throws {
        let own = "/run/aircheck/aircheck.sock.play"
        let status = Self.status([Self.socket], needsPassword: true, playSocket: own)
        let found = RelayedStation(url: "http://localhost/fip", socket: own)
        #expect(try Self.find("fip", status, mayConnect: true) == found)
        #expect(throws: SettingFault.self) { try Self.find("fip", status) }
    }

    @Test("A daemon without a network address is refused with the remedy", arguments: [[], [socket]])
    func socketOnly(urls: [String]) {
        let words = Self.refusal("fip", Self.status(urls))
        #expect(words?.contains("no network address; run this command as the daemon's user") == true, "\(words ?? "")")
    }

    @Test("A station that is not relayed is refused with the remedy, and not taken for a file")
    func notRelayed() {
        let words = Self.refusal("log", Self.status([Self.tcp]))
        #expect(words?.hasPrefix("log is not relayed: ") == true, "\(words ?? "")")
        #expect(words?.contains("remove 'relay = false' and run 'aircheck reload'") == true, "\(words ?? "")")
    }

    @Test("A station that needs a password says where to write it, unless a header has it")
    func password() throws {
        let status = Self.status([Self.socket, Self.tcp], needsPassword: true)
        let words = Self.refusal("fip", status)
        #expect(words?.hasSuffix("aircheck play http://USER:PASSWORD@127.0.0.1:8000/fip") == true, "\(words ?? "")")
        #expect(try Self.find("fip", status, hasPassword: true) == RelayedStation(url: Self.tcp))
    }

    @Test("A name that is no station of the daemon gives neither an address nor an error")
    func other() throws {
        for status in [Self.status([Self.tcp]), .null] {
            #expect(try Self.find("morning.mp3", status) == nil)
        }
    }
}
