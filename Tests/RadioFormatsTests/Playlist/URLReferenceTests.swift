// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct URLReferenceTests {
    /// The examples of RFC 3986 §5.4.
    @Test(
        "A reference is resolved as RFC 3986 says",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func standardExamples(_ reference: String, _ expected: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(URLReference(reference).resolved(against: base).text == expected)
    }

    /// Some bases still contain dot segments or have no root, and some paths have empty parts.
    @Test(
        "A reference is resolved against a base that is itself resolved first",
        arguments: [
            ("http://a/b/./c/../d", "g", "http://a/b/g"), ("http://a/..", "g", "http://a/g"),
            ("http://a/b//", "..", "http://a/b/"),
            ("http://a/b/c", "g//..", "http://a/b/g/"), ("http://a/b/c", "g/..", "http://a/b/"),
            ("b/c", "../../g", "g"),
            ("http://a/b/c", "//h/x/../y/.", "http://h/y/"), ("http://a/b/c", "http://h/../x", "http://h/x"),
        ])
    func unresolvedBase(_ base: String, _ reference: String, _ expected: String) {
        let base = URLReference(base).resolved(against: URLReference(base))
        #expect(URLReference(reference).resolved(against: base).text == expected)
    }

    @Test("A base without a path still has a root") func baseWithoutPath() {
        #expect(
            URLReference("live").resolved(against: URLReference("http://host:8000")).text == "http://host:8000/live")
    }

    @Test("Characters that a URL may not contain are encoded") func encoding() {
        #expect(URLReference("http://a/b c\"<é>\n").text == "http://a/b%20c%22%3C%C3%A9%3E%0A")
        #expect(URLReference("http://a/%20?x=%41").text == "http://a/%20?x=%41")
    }

    @Test(
        "Web addresses are distinguished from other text",
        arguments: [
            ("http://host/x", true), ("HTTPS://host", true), ("http://u:p@[::1]:80/", true), ("http:///x", false),
            ("http://:80/", false), ("http:host", false), ("ftp://host/", false), ("file:///etc/passwd", false),
            ("javascript:alert(1)", false), ("C:\\Music\\a.mp3", false), ("live.mp3", false),
        ])
    func webAddresses(_ text: String, _ isWebAddress: Bool) {
        #expect(URLReference(text).isWebAddress == isWebAddress)
    }

    @Test(
        "The file extension is read from the path of a URL",
        arguments: [
            ("http://a/live.MP3?x=1.aac", "mp3"), ("http://a/live", nil), ("http://a.pls/", nil),
            ("http://a/.mp3", nil),
            ("http://a/b.ogg/", nil), ("x.m3u8#t", "m3u8"), ("http://a/x.", nil),
        ])
    func pathExtension(_ text: String, _ expected: String?) {
        #expect(URLReference(text).pathExtension == expected)
    }
}
