// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Addresses that contain a user name and a password, whether the user, a redirect or a playlist brought them.
struct CredentialTests {
    private static let programme = Broadcast([.music(.seconds(100))])
    private static let heard = HeardFrames(of: programme)

    /// What the user's address leads to: the audio itself, a redirect or a playlist.
    enum Way: CaseIterable {
        case direct, redirect, playlist
    }

    /// Runs a station whose connections fall silent after 8 s. `said` is everything that it reported.
    private func run(
        _ way: Way, credentials: String, netrc: String? = nil
    ) -> (outcome: VirtualStation.Outcome, said: String) {
        let url = "http://\(credentials)edge.test/live"
        let front = LiveScript { _ in
            way == .playlist ? .text(url + "\n", type: "audio/x-mpegurl") : .redirect(to: url)
        }
        let edge = LiveScript(.stream(LiveStream(Self.programme, faults: [.at(.seconds(8), .stall)])))
        let station = VirtualStation(
            hosts: ["front.test": front, "edge.test": edge], hearing: Self.heard,
            urls: [way == .direct ? url : "http://front.test/"]
        ) { settings in settings.netrc = netrc.map { NetrcFile(path: "/netrc", text: $0) } }
        var said = ""
        station.station.onNotice = { said += "\($0)\n" }
        let outcome = station.run(for: .seconds(45))
        return (outcome, said + "\(outcome.snapshot) \(outcome.heard.gaps)")
    }

    @Test("A connection whose address contains credentials never gets a hedge", arguments: Way.allCases)
    func oneConnection(way: Way) {
        let (outcome, said) = run(way, credentials: "user:secret@")
        #expect(outcome.snapshot.hedges == 0, "\(outcome)")
        #expect(outcome.log.mostOpen == 1, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 1, "\(outcome)")
        #expect(!said.contains("secret") && !said.contains("user:"))
        // Without credentials, hedges are opened.
        let (open, _) = run(way, credentials: "")
        #expect(open.isWhole && open.snapshot.hedges >= 3, "\(open)")
    }

    @Test("Nor is there one where a file has the password of the host", arguments: Way.allCases)
    func passwordFile(way: Way) {
        let (outcome, _) = run(way, credentials: "", netrc: "machine edge.test login user password secret")
        #expect(outcome.snapshot.hedges == 0 && outcome.log.mostOpen == 1, "\(outcome)")
        let (other, _) = run(way, credentials: "", netrc: "machine other.test login user password secret")
        #expect(other.isWhole && other.snapshot.hedges >= 3, "\(other)")
    }
}
