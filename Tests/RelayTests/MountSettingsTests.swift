// SPDX-License-Identifier: MIT

import RadioCore
import Relay
import Testing

/// The settings of a mount as people write them.
struct MountSettingsTests {
    @Test(arguments: [
        ("/live", "/live"), ("jazz", "/jazz"), ("/radio/fip.mp3", "/radio/fip.mp3"), ("a-_.~0", "/a-_.~0"),
    ])
    func `a plain path is taken`(text: String, path: String) throws {
        #expect(try Mount.path(parsing: text) == path)
    }

    @Test(arguments: [
        "", "/", "live/", "//live", "a//b", "a b", "a?b", "a%20b", "\u{e9}", "..", "/a/../b", "/./a", "a\r\nb",
        "a\u{0}",
        String(repeating: "a", count: 200), "/status.json", "status-json.xsl",
    ])
    func `a path that means something else is refused`(text: String) {
        let fault = #expect(throws: SettingFault.self) { try Mount.path(parsing: text) }
        #expect(fault?.field == .mount)
    }

    @Test func `a burst is not larger than what a client can ask for`() throws {
        var settings = MountSettings()
        try settings.check()
        settings.burst = settings.largestBurst
        try settings.check()
        settings.burst = settings.largestBurst + .milliseconds(1)
        let fault = #expect(throws: SettingFault.self) { try settings.check() }
        #expect(fault?.description == "burst: at most 10s")
    }
}
