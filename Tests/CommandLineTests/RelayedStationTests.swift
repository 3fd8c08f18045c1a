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
    private static func status(_ urls: [String], needsPassword: Bool = false) -> JSONValue {
        [
            "needs_password": .bool(needsPassword),
            "stations": [
                ["id": "fip", "mount": "/fip", "urls": .array(urls.map(JSONValue.string))],
                ["id": "log", "mount": .null, "urls": []],
            ],
        ]
    }

    /// The message about a station that cannot be played.
    private static func refusal(_ id: String, _ status: JSONValue) -> String? {
        do throws(SettingFault) {
            _ = try RelayedStation.url(of: id, in: status, hasPassword: false)
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
        #expect(try RelayedStation.url(of: "fip", in: status, hasPassword: false) == Self.tcp)
    }

    @Test("A daemon without a network address is refused with the remedy", arguments: [[], [socket]])
    func socketOnly(urls: [String]) {
        let words = Self.refusal("fip", Self.status(urls))
        #expect(words?.contains("no network address; add an address to 'listen'") == true, "\(words ?? "")")
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
        #expect(try RelayedStation.url(of: "fip", in: status, hasPassword: true) == Self.tcp)
    }

    @Test("A name that is no station of the daemon gives neither an address nor an error")
    func other() throws {
        for status in [Self.status([Self.tcp]), .null] {
            #expect(try RelayedStation.url(of: "morning.mp3", in: status, hasPassword: false) == nil)
        }
    }
}
