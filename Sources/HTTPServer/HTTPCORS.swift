// SPDX-License-Identifier: MIT

/// What pages of other origins may do with a route: read it, and nothing else (the Fetch standard, CORS protocol).
///
/// Credentials stored in browsers are never allowed, so a page learns only what any client of the server can learn.
package struct HTTPCORS: Hashable, Sendable {
    /// Request fields that a page may set.
    package var requestFields: [String]
    /// Response fields that a page may read.
    package var responseFields: [String]

    package init(requestFields: [String] = [], responseFields: [String] = []) {
        self.requestFields = requestFields
        self.responseFields = responseFields
    }

    /// What pages may do with streams. Players in pages request metadata, and read `icy-*` fields. Some request a
    /// range, or forbid a cached answer, as they do for any file.
    package static let stream = HTTPCORS(
        requestFields: ["Icy-MetaData", "Authorization", "Range", "Cache-Control"],
        responseFields: ["metaint", "name", "genre", "description", "url", "br", "sr", "pub"].map { "icy-\($0)" })

    /// How many seconds browsers may remember the rules, which do not change for days. Browsers cap this time at two
    /// hours or a day.
    private static let maxAge = 86400

    /// Fields for every response of the route.
    package var fields: [HTTPField] {
        let origin = HTTPField("Access-Control-Allow-Origin", "*")
        guard !responseFields.isEmpty else { return [origin] }
        return [origin, HTTPField("Access-Control-Expose-Headers", responseFields.joined(separator: ", "))]
    }

    /// Additional fields for the answer to a preflight request; none for other `OPTIONS` requests.
    func preflightFields(_ head: HTTPRequestHead) -> [HTTPField] {
        guard head["access-control-request-method"] != nil else { return [] }
        var fields = [
            HTTPField("Access-Control-Allow-Methods", "GET, HEAD"),
            HTTPField("Access-Control-Max-Age", String(Self.maxAge)),
        ]
        if !requestFields.isEmpty {
            fields.append(HTTPField("Access-Control-Allow-Headers", requestFields.joined(separator: ", ")))
        }
        // Allows pages on the internet to play streams of a home server (Private Network Access, a draft of the WICG).
        if head["access-control-request-private-network"] == "true" {
            fields.append(HTTPField("Access-Control-Allow-Private-Network", "true"))
        }
        return fields
    }
}
