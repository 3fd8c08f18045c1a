// SPDX-License-Identifier: MIT

import CurlClient
import Testing

struct RedactionTests {
    @Test(arguments: [
        ("http://host/live", "http://host/live"),
        ("http://user:pass@host/live", "http://host/live"),
        ("http://user:p@ss@host/live", "http://host/live"),
        ("https://host:8000/live?token=x#y", "https://host:8000/live"),
        ("http://host?token=x", "http://host"),
        ("http://host/a@b", "http://host/a@b"),
        ("http://host/a?u=x@y", "http://host/a"),
        ("user:pass@host/live", "host/live"),
        ("http://user:pa/ss@host/live", "http://host/live"),
        ("http://user:pa?ss@host/live?q", "http://host/live"),
        ("http://[::1]:8000/live@x", "http://[::1]:8000/live@x"),
        ("http://user@[::1]/", "http://[::1]/"),
        ("http://host/\r\nx", "http://host/??x"),
        ("", ""),
    ])
    func credentialsAndQueriesAreRemoved(url: String, expected: String) {
        #expect(redactedURL(url) == expected)
    }
}
