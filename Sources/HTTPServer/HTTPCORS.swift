// SPDX-License-Identifier: MIT

/// What pages of other origins may do with a route: read it, and no more (the Fetch standard, CORS protocol).
///
/// No credentials of the browser's are ever allowed, so a page learns what anybody can learn who can reach the server.
package struct HTTPCORS: Hashable, Sendable {
    /// Fields of a request that a page may set.
    package var requestFields: [String]
    /// Fields of a response that a page may read.
    package var responseFields: [String]

    package init(requestFields: [String] = [], responseFields: [String] = []) {
        self.requestFields = requestFields
        self.responseFields = responseFields
    }

    /// For streams: players in pages ask for metadata, and read what `icy-*` fields say.
    package static let stream = HTTPCORS(
        requestFields: ["Icy-MetaData", "Authorization"],
        responseFields: ["metaint", "name", "genre", "description", "url", "br", "sr", "pub"].map { "icy-\($0)" })

    /// Days change nothing here; browsers keep it for two hours or a day at most.
    private static let maxAge = 86400

    /// For every response of the route.
    package var fields: [HTTPField] {
        let origin = HTTPField("Access-Control-Allow-Origin", "*")
        guard !responseFields.isEmpty else { return [origin] }
        return [origin, HTTPField("Access-Control-Expose-Headers", responseFields.joined(separator: ", "))]
    }

    /// More for the answer to an `OPTIONS` with which a browser asks for permission; nothing for any other.
    func preflightFields(_ head: HTTPRequestHead) -> [HTTPField] {
        guard head["access-control-request-method"] != nil else { return [] }
        var fields = [
            HTTPField("Access-Control-Allow-Methods", "GET, HEAD"),
            HTTPField("Access-Control-Max-Age", String(Self.maxAge)),
        ]
        if !requestFields.isEmpty {
            fields.append(HTTPField("Access-Control-Allow-Headers", requestFields.joined(separator: ", ")))
        }
        // A page of the internet may play what a server at home sends (Private Network Access, a draft of the WICG).
        if head["access-control-request-private-network"] == "true" {
            fields.append(HTTPField("Access-Control-Allow-Private-Network", "true"))
        }
        return fields
    }
}
