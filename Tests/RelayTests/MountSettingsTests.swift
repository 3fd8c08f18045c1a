// SPDX-License-Identifier: MIT

import RadioCore
import Relay
import Testing

/// The settings of a mount as people write them.
struct MountSettingsTests {
    @Test(
        "A plain path is accepted",
        arguments: [
            ("/live", "/live"), ("jazz", "/jazz"), ("/radio/fip.mp3", "/radio/fip.mp3"), ("a-_.~0", "/a-_.~0"),
        ])
    func plainPath(text: String, path: String) throws {
        #expect(try Mount.path(parsing: text) == path)
    }

    @Test(
        "A path that means something else is refused",
        arguments: [
            "", "/", "live/", "//live", "a//b", "a b", "a?b", "a%20b", "\u{e9}", "..", "/a/../b", "/./a", "a\r\nb",
            "a\u{0}",
            String(repeating: "a", count: 200), "/status.json", "status-json.xsl",
        ])
    func otherPath(text: String) {
        let fault = #expect(throws: SettingFault.self) { try Mount.path(parsing: text) }
        #expect(fault?.field == .mount)
    }

    @Test("A burst is not larger than a client may request") func largestBurst() throws {
        var settings = MountSettings()
        try settings.check()
        settings.burst = settings.largestBurst
        try settings.check()
        settings.burst = settings.largestBurst + .milliseconds(1)
        let fault = #expect(throws: SettingFault.self) { try settings.check() }
        #expect(fault?.description == "burst: at most 10s")
    }
}
