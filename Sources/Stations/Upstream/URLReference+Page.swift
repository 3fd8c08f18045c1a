// SPDX-License-Identifier: MIT

import RadioFormats

extension URLReference {
    /// The address of the stream if this may be a page of SHOUTcast about it; nil for other pages.
    ///
    /// A query `sid=N` names the N-th station of a server, whose stream is `/stream/N/`. Without it, the root or
    /// `index.html` is the page of the only station, whose stream is `/;`. For the root, SHOUTcast sends a web page
    /// only to clients that look like browsers.
    var streamBehindPage: String? {
        var url = self
        (url.query, url.fragment) = (nil, nil)
        if let station = query.flatMap(Self.station) {
            url.path = "/stream/\(station)/"
        } else if query == nil, ["", "/", "/index.html"].contains(path) {
            url.path = "/;"
        } else {
            return nil
        }
        return url.text
    }

    /// The number of the station in a query; nil if the query names none. A longer number is the ID of a session.
    private static func station(_ query: String) -> Int? {
        let items = query.split(separator: "&").filter { $0.lowercased().hasPrefix("sid=") }
        return items.first.flatMap { Int($0.dropFirst(4)) }.flatMap { (1...999).contains($0) ? $0 : nil }
    }
}
