// SPDX-License-Identifier: MIT

import HTTPServer
import RadioFormats

/// A playlist with the mount as its only entry: browsers pass it to players, and old players expect it.
enum StreamPlaylist: String, CaseIterable {
    case m3u
    case pls
    case xspf

    /// The entry has the address by which the client reached us, because that address works for the client.
    func response(for exchange: HTTPExchange, stream path: String, title: String) -> HTTPResponse {
        let query = exchange.request.head.target.query
        let url = exchange.baseURL + path + (query.isEmpty ? "" : "?\(query)")
        // The name is untrusted: it must not add lines.
        let title = String(title.map { $0.isNewline ? " " : $0 })
        let (type, text) =
            switch self {
            case .m3u: ("audio/x-mpegurl; charset=utf-8", "#EXTM3U\r\n#EXTINF:-1,\(title)\r\n\(url)\r\n")
            case .pls:
                (
                    "audio/x-scpls; charset=utf-8",
                    "[playlist]\r\nNumberOfEntries=1\r\nFile1=\(url)\r\nTitle1=\(title)\r\nLength1=-1\r\nVersion=2\r\n"
                )
            case .xspf:
                (
                    "application/xspf+xml",
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <playlist version="1" xmlns="http://xspf.org/ns/0/">
                    <trackList><track><location>\(MarkupText.escaped(url))</location>\
                    <title>\(MarkupText.escaped(title))</title></track></trackList>
                    </playlist>

                    """
                )
            }
        return HTTPResponse(
            .ok,
            fields: [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-cache")], body: Array(text.utf8))
    }
}
