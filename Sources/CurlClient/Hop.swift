// SPDX-License-Identifier: MIT

import CLibCurl

/// A further step of an exchange that curl does not take by itself.
struct Hop {
    let url: String
    /// Whether the response is read without curl's HTTP; see ``PlainRequest``.
    let isPlain: Bool
    /// The number of redirects that led to the URL.
    let redirects: Int
    let cookies: [String]
    /// Whether the exchange has stayed in the private network so far.
    let isPrivate: Bool

    /// The step to `url` after a transfer, which is a redirect unless the step is plain.
    init(_ url: String, after transfer: Transfer, isPlain: Bool) {
        self.url = url
        self.isPlain = isPlain
        // The transfer has counted the redirect that curl refused, but none that it read itself.
        redirects = transfer.redirects + (transfer.request.readsPlainly ? 1 : 0)
        cookies = transfer.cookies
        isPrivate = transfer.isPeerPrivate
    }
}

extension TransferRequest {
    static let redirectLimit = 10

    /// Whether an exchange with this request may take steps of its own. A proxy, a socket or curl's file of passwords
    /// would not be used as the user expects, and a body must not be sent twice.
    var mayGoOn: Bool {
        followsRedirects && proxy == nil && socket == nil && netrc == nil && body == nil
    }

    /// The request for a further step.
    func going(on hop: Hop) -> TransferRequest {
        var request = self
        if !ac_curl_is_same_origin(url, hop.url) { request.headers = [] }
        (request.url, request.cookies, request.redirects) = (hop.url, hop.cookies, hop.redirects)
        (request.readsPlainly, request.allowsPrivateAddress) = (hop.isPlain, hop.isPrivate)
        request.keepsConnection = false
        return request
    }
}
