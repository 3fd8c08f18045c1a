// SPDX-License-Identifier: MIT

import RadioCore
import Testing
import aircheck

struct StateFolderTests {
    @Test(
        "The state folder is where the XDG specification says",
        arguments: [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/aircheck"),
            (["XDG_STATE_HOME": "/s//", "HOME": "/h"], "/s/aircheck"),
            (["HOME": "/h"], "/h/.local/state/aircheck"), (["HOME": "/"], "/.local/state/aircheck"),
            (["XDG_STATE_HOME": "", "HOME": "/h/"], "/h/.local/state/aircheck"),
            (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/aircheck"),
            (["XDG_STATE_HOME": "s"], nil), (["HOME": "h"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func path(environment: [String: String], path: String?) {
        #expect(StateFolder.path(environment) == path)
    }
}
