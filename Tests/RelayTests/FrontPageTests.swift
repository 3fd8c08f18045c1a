// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Relay

struct FrontPageTests {
    private static func mount(_ path: String, name: String, title: String?) -> MountSnapshot {
        MountSnapshot(
            path: path, name: name, title: title, format: nil, fields: [], onAirSince: nil, listeners: 0, peak: 0,
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

    @Test("A station's name and title cannot become markup or a script")
    func hostileTexts() {
        let text = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"
        let page = FrontPage.html([Self.mount("/live", name: text, title: text)])
        #expect(page.firstRange(of: "<script>") == nil && page.firstRange(of: "<img") == nil)
        #expect(page.matches(of: /&lt;script&gt;alert/).count == 3)
        #expect(page.matches(of: /<script/).count == 1)
    }
}
