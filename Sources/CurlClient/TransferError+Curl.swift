// SPDX-License-Identifier: MIT

import CLibCurl
import Glibc

/// Maps curl's results to errors.
extension TransferError {
    /// The known facts about a failed transfer.
    struct Circumstances {
        /// The URL of the hop, redacted.
        var url: String
        /// The URL of the hop that led to this one by a redirect, redacted; nil if there was no redirect.
        var redirectingURL: String?
        /// The address to which the last redirect leads, redacted; nil if curl has followed it.
        var target: String?
        var phase: TransferPhase
        /// Whether this hop follows a redirect.
        var isRedirected: Bool
        /// The facts about the proxy; nil without a proxy.
        var proxy: ProxyFacts?
        /// The `errno` of the failed connection attempt.
        var systemError: CInt
        /// OpenSSL's result for the certificate (`X509_V_…`); 0 if the certificate chain was valid.
        var verifyResult: Int
        /// curl's own text; empty if there is none.
        var text: String
    }

    /// The known facts about a proxy.
    struct ProxyFacts {
        /// The proxy's address for messages, redacted.
        var name: String
        /// Whether TLS protects the connection to the proxy itself.
        var isSecure: Bool
        /// The status of the proxy's answer to CONNECT; 0 if it did not answer.
        var connectStatus: Int
        /// Whether a SOCKS proxy refused the user name and password.
        var isLoginRefused: Bool
        /// OpenSSL's result for the proxy's certificate (`X509_V_…`).
        var verifyResult: Int
    }

    /// The error for a `CURLcode` other than 0.
    init(curl result: CInt, _ facts: Circumstances) {
        if let proxy = facts.proxy, let (code, message) = Self.meaning(of: result, facts, proxy) {
            self.init(code, message, detail: Self.detail(result, facts), isOfProxy: true)
            return
        }
        var named = facts
        // The error may be the proxy's fault all the same.
        if let proxy = facts.proxy { named.url += " through \(proxy.name)" }
        let (code, message) = Self.meaning(of: result, named)
        self.init(code, message, detail: Self.detail(result, facts))
    }

    private static func detail(_ result: CInt, _ facts: Circumstances) -> String {
        "curl \(result): \(facts.text.isEmpty ? String(cString: ac_curl_describe(result)) : facts.text)"
    }

    /// The code and message if the proxy is responsible for the result; otherwise nil.
    private static func meaning(of result: CInt, _ facts: Circumstances, _ proxy: ProxyFacts) -> (Code, String)? {
        // With a proxy, only the proxy is looked up and connected to, so these facts are about the proxy.
        var own = facts
        (own.url, own.verifyResult, own.proxy) = (proxy.name, proxy.verifyResult, nil)
        let hasTunnel = facts.url.hasPrefix("https:")
        let isSecuringProxy = proxy.isSecure && facts.phase == .securing
        switch result {
        case 5, 7: return meaning(of: result, own)  // CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT
        case 28 where proxy.connectStatus == 0 && (facts.phase <= .connecting || isSecuringProxy):
            return meaning(of: result, own)
        case 35, 60, 77, 83, 91:
            guard proxy.isSecure, !hasTunnel || proxy.connectStatus == 0 else { return nil }
            return meaning(of: result, own)
        case 56 where proxy.connectStatus == 407, 97 where proxy.isLoginRefused:
            return (.proxyLogin, "\(proxy.name) requires another user name and password")
        case 56 where proxy.connectStatus >= 300:
            return (.proxyRefusal, "\(proxy.name) answered \(proxy.connectStatus) when asked for \(facts.url)")
        case 56 where hasTunnel && proxy.connectStatus == 0, 97:  // CURLE_PROXY: of SOCKS
            return (.proxyRefusal, "\(proxy.name) did not connect to \(facts.url)")
        default: return nil
        }
    }

    private static func meaning(of result: CInt, _ facts: Circumstances) -> (Code, String) {
        let url = facts.url
        switch result {
        case 1 where facts.phase == .waitingForHead:  // CURLE_UNSUPPORTED_PROTOCOL, as "HTTP/0.9 not allowed"
            return (.protocolViolation, "the answer of \(url) is not HTTP")
        case 1:
            return facts.isRedirected
                ? (
                    .schemeNotAllowed,
                    "\(facts.redirectingURL ?? url) redirects to \(facts.target ?? "another scheme"): only http and "
                        + "https are allowed"
                )
                : (.badURL, "\(url) cannot be fetched: only http and https are allowed")
        case 3:  // CURLE_URL_MALFORMAT
            // After a redirect, a bad URL is an error of the server, not the user's mistake.
            return facts.isRedirected
                ? (.protocolViolation, "\(facts.redirectingURL ?? url) redirects to something that is not a URL")
                : (.badURL, "the URL \(url) is not usable")
        case 5, 6:  // CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST
            return (.unknownHost, "the host of \(url) has no address")
        case 7:  // CURLE_COULDNT_CONNECT
            return connectFailure(facts)
        case 28:  // CURLE_OPERATION_TIMEDOUT: there is no other deadline than the one for connecting
            return (.connectTimeout, "connecting to \(url) took too long: \(stuckPhase(facts.phase))")
        case 43 where facts.phase == .waitingForHead,  // CURLE_BAD_FUNCTION_ARGUMENT, for a folded line without a first
            8:  // CURLE_WEIRD_SERVER_REPLY
            return (.protocolViolation, "the answer of \(url) violates HTTP")
        case 27 where facts.phase == .waitingForHead:  // CURLE_OUT_OF_MEMORY, also for a line over 100 kB
            return (.headTooLarge, "a header line of \(url) is too long")
        case 27:
            return (.resources, "out of memory while fetching \(url)")
        case 18:  // CURLE_PARTIAL_FILE
            return (.truncated, "\(url) closed the connection before the announced end")
        case 47:  // CURLE_TOO_MANY_REDIRECTS
            return (.tooManyRedirects, "too many redirects, the last one to \(url)")
        case 52:  // CURLE_GOT_NOTHING
            return (.dropped, "\(url) closed the connection without an answer")
        case 55, 56:  // CURLE_SEND_ERROR, CURLE_RECV_ERROR
            return (.dropped, "the connection to \(url) broke off")
        case 60:  // CURLE_PEER_FAILED_VERIFICATION
            return certificateFailure(facts)
        case 77:  // CURLE_SSL_CACERT_BADFILE
            return (.badCAFile, "the file of trusted certificates for \(url) cannot be read")
        case 35, 53, 54, 58, 59, 66, 80, 82, 83, 90, 91, 98:  // the CURLE_SSL_… family
            return (.tlsHandshake, "TLS with \(url) failed")
        case 61:  // CURLE_BAD_CONTENT_ENCODING
            return (.compressed, "\(url) sends compressed audio")
        default:
            return (.aborted, "fetching \(url) failed")
        }
    }

    private static func connectFailure(_ facts: Circumstances) -> (Code, String) {
        switch facts.systemError {
        case ECONNREFUSED: (.refused, "\(facts.url) refused the connection")
        case ETIMEDOUT: (.connectTimeout, "\(facts.url) did not answer")
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: (.resources, "out of descriptors while connecting to \(facts.url)")
        default: (.unreachable, "\(facts.url) cannot be reached")
        }
    }

    private static func stuckPhase(_ phase: TransferPhase) -> String {
        switch phase {
        case .resolving: "its name was not resolved"
        case .securing: "TLS was not established"
        case .connecting, .waitingForHead, .receiving: "no answer"
        }
    }

    private static func certificateFailure(_ facts: Circumstances) -> (Code, String) {
        switch facts.verifyResult {
        case 9:  // X509_V_ERR_CERT_NOT_YET_VALID
            (.certificateNotYetValid, "the certificate of \(facts.url) is not valid yet, or the clock here is wrong")
        case 10:  // X509_V_ERR_CERT_HAS_EXPIRED
            (.certificateExpired, "the certificate of \(facts.url) has expired")
        case 0, 1, 62, 64:
            // The result 1 also means a wrong name: curl initialises the result with 1, and checks the name before it
            // reads the verdict on the chain, which OpenSSL had accepted. 62 and 64 are OpenSSL's own codes,
            // X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH.
            (.certificateWrongHost, "the certificate of \(facts.url) is for another host")
        default:
            (.certificateUntrusted, "no authority that this machine trusts has signed the certificate of \(facts.url)")
        }
    }
}
