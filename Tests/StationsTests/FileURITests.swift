// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@testable import Stations

struct FileURITests {
    @Test(
        "A path becomes an absolute URI, and redaction leaves it unchanged",
        arguments: [
            ("/m/a.mp3", "file:///m/a.mp3"), ("a b/ü@x?#%.mp3", "file:///music/a%20b/%C3%BC%40x%3F%23%25.mp3"),
            ("./-dash.mp3", "file:///music/-dash.mp3"), ("//m//./x", "file:///m/x"),
            ("http:/x.mp3", "file:///music/http%3A/x.mp3"),
        ])
    func uri(path: String, text: String) {
        #expect(FileURI.text(ofPath: path, in: "/music") == text)
        #expect(AddressText(text).redacted == text)
    }

    @Test("A relative path is resolved in the working folder of the process")
    func working() {
        let text = FileURI.text(ofPath: "a.mp3")
        #expect(text.hasPrefix("file:///") && text.hasSuffix("/a.mp3") && text != "file:///a.mp3")
    }
}
