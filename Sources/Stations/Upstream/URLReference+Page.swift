// SPDX-License-Identifier: MIT

import RadioFormats

extension URLReference {
    /// SHOUTcast sends a page to whom it takes for a browser, and audio to whom asks for `/;`: that address, where this
    /// one is a server's root.
    var streamBehindPage: String? {
        guard path.isEmpty || path == "/", query == nil else { return nil }
        var url = self
        url.path = "/;"
        url.fragment = nil
        return url.text
    }
}
