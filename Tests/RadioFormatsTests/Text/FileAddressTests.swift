// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct FileAddressTests {
    @Test(
        "A file address gives a path and the machine that it is on",
        arguments: [
            ("file:///a/b.mp3", "", "/a/b.mp3"), ("file:/a%20b", "", "/a b"),
            ("FILE://localhost/%C3%A9.mp3", "", "/é.mp3"),
            ("file://nas/music/x", "nas", "/music/x"), ("file:///100%/%zz%+1", "", "/100%/%zz%+1"), ("file://", "", ""),
        ])
    func hostAndPath(text: String, host: String, path: String) {
        #expect(FileAddress(text)?.host == host && FileAddress(text)?.path == path)
    }

    @Test("Text that is no file address is refused", arguments: ["", "file", "a/file:b", "http://a/b", "/file:/a"])
    func otherText(text: String) { #expect(FileAddress(text) == nil) }
}
