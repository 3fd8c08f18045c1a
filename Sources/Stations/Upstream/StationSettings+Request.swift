// SPDX-License-Identifier: MIT

import CurlClient
import RadioFormats

extension StationSettings {
    /// A request for an address without ICY metadata. `options`: how a list, or the address, says that it must be
    /// requested. A value that the user chose takes precedence. `sendsHeaders`: whether the user named the address's
    /// server, which alone gets the headers and is reached through the socket.
    func request(for url: String, _ options: EntryOptions, sendsHeaders: Bool = true) -> TransferRequest {
        var request = TransferRequest(url: url, userAgent: userAgent, wantsMetadata: false)
        if !isUserAgentChosen, let wanted = options.fields[.userAgent] { request.userAgent = wanted }
        if sendsHeaders {
            request.headers = headers.map { ($0.name, $0.value) }
            request.socket = socket
        }
        let chosen = Set(request.headers.map { $0.name.lowercased() })
        for field in [EntryOptions.Field.referer, .origin] where !chosen.contains(field.rawValue.lowercased()) {
            if let value = options.fields[field] { request.openHeaders.append((field.rawValue, value)) }
        }
        request.caFile = caFile
        (request.proxy, request.netrc) = (proxy, netrc)
        request.cookies = cookies
        return request
    }

    /// A request for one of ``urls``.
    func request(for url: String) -> TransferRequest { request(for: url, options[url] ?? EntryOptions()) }

    /// Aircheck's own name is not a choice of the user.
    private var isUserAgentChosen: Bool { !userAgent.hasPrefix("Aircheck/") }
}
