// SPDX-License-Identifier: MIT

import RadioFormats

extension URLReference {
    /// The address of the stream if this is a server's root: `/;`. SHOUTcast sends a page to supposed browsers, and
    /// audio for that path.
    var streamBehindPage: String? {
        guard path.isEmpty || path == "/", query == nil else { return nil }
        var url = self
        url.path = "/;"
        url.fragment = nil
        return url.text
    }
}
