// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct FileAddressTests {
    @Test(arguments: [
        ("file:///a/b.mp3", "", "/a/b.mp3"), ("file:/a%20b", "", "/a b"), ("FILE://localhost/%C3%A9.mp3", "", "/é.mp3"),
        ("file://nas/music/x", "nas", "/music/x"), ("file:///100%/%zz%+1", "", "/100%/%zz%+1"), ("file://", "", ""),
    ])
    func `the path, and the machine that it is of`(text: String, host: String, path: String) {
        #expect(FileAddress(text)?.host == host && FileAddress(text)?.path == path)
    }

    @Test(arguments: ["", "file", "a/file:b", "http://a/b", "/file:/a"])
    func `what is something else`(text: String) { #expect(FileAddress(text) == nil) }
}
