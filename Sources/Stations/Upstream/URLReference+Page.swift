// SPDX-License-Identifier: MIT

import RadioFormats

extension URLReference {
    /// The address of the stream if this is a server's root. The path is then `/;`, for which SHOUTcast always sends
    /// audio. For the root, it sends a web page to clients that look like browsers.
    var streamBehindPage: String? {
        guard path.isEmpty || path == "/", query == nil else { return nil }
        var url = self
        url.path = "/;"
        url.fragment = nil
        return url.text
    }
}
