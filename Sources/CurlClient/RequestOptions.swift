// SPDX-License-Identifier: MIT

import CLibCurl
import RadioFormats

/// Validates a request and applies it to a new handle.
extension TransferRequest {
    private static let urlLimit = 8 * 1024
    private static let receiveBuffers = 1024...(512 * 1024)

    /// Sets every option on `handle`. Returns nil on success. If there is a known address, connections to the URL's own
    /// host go there, without a lookup.
    /// `idleLimit`: the age in seconds of the oldest unused connection that may be taken; nil for none.
    func apply(to handle: OpaquePointer, knownAddress: PeerAddress? = nil, idleLimit: Int? = nil) -> TransferError? {
        guard !url.isEmpty, url.utf8.count <= Self.urlLimit, Self.isClean(url) else {
            let shown = AddressText(url).redacted.cut(toBytes: 200)
            return TransferError(.badURL, "the URL \(shown) is not usable")
        }
        guard let lines = headerLines else {
            return TransferError(
                .badHeader, "a header field for \(AddressText(url).redacted) contains forbidden characters")
        }
        var result = ac_curl_set_defaults(handle)
        func set(_ option: () -> CInt) { if result == 0 { result = option() } }
        set { ac_curl_set_url(handle, url) }
        set { ac_curl_set_user_agent(handle, userAgent.pathBytes) }
        for line in lines { set { ac_curl_add_header(handle, line.text.pathBytes, line.isPrivate) } }
        if decodes { set { ac_curl_set_decoding(handle, asksForCompression ? "gzip" : "identity") } }
        if keepsConnection { set { ac_curl_keep_connection(handle, idleLimit ?? -1) } }
        if let body { set { ac_curl_set_body(handle, body.isPut, Int64(body.count)) } }
        set {
            ac_curl_set_max_redirects(
                handle, followsRedirects && socket == nil ? Self.redirectLimit - redirects : -1)
        }
        for cookie in cookies { set { ac_curl_add_cookie(handle, cookie) } }
        set { ac_curl_set_connect_timeout(handle, Self.milliseconds(connectTimeout)) }
        let receiveBuffer = min(max(receiveBuffer, Self.receiveBuffers.lowerBound), Self.receiveBuffers.upperBound)
        set { ac_curl_set_receive_buffer(handle, receiveBuffer) }
        for line in fixedAddresses { set { ac_curl_fix_addresses(handle, line) } }
        if let knownAddress, proxy == nil, socket == nil, let host = CurlLibrary.host(of: url) {
            set { ac_curl_connect_to(handle, "\(host)::\(knownAddress.hostOfURL):") }
        }
        if let caFile { set { ac_curl_set_ca_file(handle, caFile.pathBytes) } }
        if let proxy { set { ac_curl_set_proxy(handle, proxy.url) } }
        if let socket { set { ac_curl_set_unix_socket(handle, socket.pathBytes) } }
        if let netrc { set { ac_curl_set_netrc(handle, netrc.path.pathBytes) } }
        if readsPlainly {
            guard let plain = PlainRequest(url, userAgent: userAgent, lines: lines.map(\.text), cookies: cookies) else {
                return TransferError(.badURL, "the URL \(AddressText(url).redacted) is not usable")
            }
            set { ac_curl_set_plain(handle, plain.url) }
        }
        guard result != 0 else { return nil }
        return TransferError(
            .aborted, "curl refused an option for \(AddressText(url).redacted)",
            detail: CurlLibrary.describe(result))
    }

    /// The header lines that curl would not send by itself; nil if one contains forbidden characters.
    private var headerLines: [(text: String, isPrivate: Bool)]? {
        var fields: [(name: String, value: String, isPrivate: Bool)] = headers.map { ($0.name, $0.value, true) }
        func add(_ name: String, _ value: String) { fields.append((name, value, false)) }
        for (name, value) in openHeaders { add(name, value) }
        if wantsMetadata { add("Icy-MetaData", "1") }
        if refusesCompression, !decodes { add("Accept-Encoding", "identity") }
        if let resumeAt, resumeAt >= 0 {
            add("Range", "bytes=\(resumeAt)-\(lastByte.map { "\($0)" } ?? "")")
            if let resumeValidator { add("If-Range", resumeValidator) }
        }
        if let ifNoneMatch { add("If-None-Match", ifNoneMatch) }
        if let ifModifiedSince { add("If-Modified-Since", ifModifiedSince) }
        guard Self.isClean(userAgent), fields.allSatisfy({ Self.isToken($0.name) && Self.isClean($0.value) }) else {
            return nil
        }
        // A semicolon is curl's notation for a field without a value; with a colon, curl would remove the field.
        return fields.map { ($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)", $0.isPrivate) }
    }

    /// Whether there are no control characters: a NUL would end the C string, and CR and LF could inject a field.
    private static func isClean(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    /// Whether `name` is a field name (RFC 9110).
    static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isOfToken)
    }

    /// The duration in milliseconds; at least 1, because curl would take 0 for its default of 300 s.
    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
