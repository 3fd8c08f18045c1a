// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import TestSupport
import Testing

@testable import Relay

struct FrontPageTests {
    private static func mount(_ path: String, name: String, title: String?) -> MountSnapshot {
        MountSnapshot(
            path: path, name: name, state: .live, stateSince: WallInstant(nanoseconds: 0), isOnDemand: false,
            title: title, format: nil, fields: [], onAirSince: nil, listeners: 0, peak: 0,
            joins: 0, bytes: 0, skips: 0)
    }

    @Test("Each mount has its player, its title and its playlists")
    func mounts() {
        let page = FrontPage.html([
            Self.mount("/fip", name: "FIP", title: "Ann - One"), Self.mount("/nova", name: "Nova", title: nil),
        ])
        for path in ["/fip", "/nova"] {
            for link in ["src=\".\(path)\"", "href=\".\(path)\""]
                + ["m3u", "pls", "xspf"].map({ "href=\".\(path).\($0)\"" })
            {
                #expect(page.contains(link), "\(link)")
            }
        }
        #expect(page.contains("<h1>FIP</h1>") && page.contains("Ann - One") && page.contains("<title>Radio</title>"))
        #expect(FrontPage.html([]).contains("No station is on the air yet."))
    }

    @Test("F33: The page asks for nothing that its own policy forbids")
    func policy() {
        let page = FrontPage.html([Self.mount("/fip", name: "FIP", title: nil)])
        #expect(page.firstRange(of: "data:") == nil && page.firstRange(of: "style=") == nil)
        // Everything comes from this server.
        for kind in ["script-src", "style-src", "img-src", "media-src", "connect-src"] {
            #expect(FrontPage.policy.contains("\(kind) 'self';"), "\(kind)")
        }
        let links = page.matches(of: /(?:href|src)="([^"]*)"/).map { String($0.output.1) }
        #expect(links.count >= 8 && links.allSatisfy { $0.hasPrefix("./") }, "\(links)")
        for path in FrontPage.paths { #expect(links.contains("." + path), "\(path)") }
    }

    @Test("F31: The page's script is served, and has words for each state that the server can tell")
    func states() throws {
        let rig = try RelayRig()
        rig.service.router.mount(FrontPage.routes { [] })
        let answer = rig.ask("GET /-/page.js HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").text
        #expect(answer.hasPrefix("HTTP/1.0 200 ") && answer.contains("\r\nContent-Type: text/javascript;"))
        // Of a station that is heard, nothing is said.
        for state in MountState.allCases where state != .live {
            #expect(answer.contains("case \"\(state.rawValue)\":"), "\(state)")
        }
    }

    @Test("A station's name and title cannot become markup or a script")
    func hostileTexts() {
        let text = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"
        let page = FrontPage.html([Self.mount("/live", name: text, title: text)])
        #expect(page.firstRange(of: "<script>") == nil && page.firstRange(of: "<img") == nil)
        #expect(page.matches(of: /&lt;script&gt;alert/).count == 3)
        #expect(page.matches(of: /<script/).count == 1)
    }
}
