// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// What a response head means for a station. Pure decisions.
enum ResponseClassifier {
    /// The failure that a status indicates; nil if the body may be audio.
    ///
    /// From a radio server, 403 and 404 are not final: they also mean that the station is full or its encoder down.
    /// With a proxy, the answer may be the proxy's own, so the message names it. `hasLogin`: whether the request
    /// contained a user name and a password.
    static func failure(
        _ head: ResponseHead, on url: String, through proxy: ProxyAddress? = nil, hasLogin: Bool = false,
        wall: WallInstant
    ) -> Failure? {
        // Audio comes with any status of success, except those that say that there is no body.
        guard !(200..<300).contains(head.status) || [204, 205].contains(head.status) else { return nil }
        let place = url + (proxy.map { " through the proxy \($0)" } ?? "")
        let said = "the server answered \(head.status)\(words(head, hasLogin)) for \(place)"
        let (failureClass, remedy) = advice(head, hasLogin)
        let setting: SettingField? = head.status == 407 ? .proxy : head.status == 403 ? .userAgent : nil
        return Failure(
            failureClass, said, remedy: remedy, setting: setting, retryAfter: RetryAfter.delay(head, wall: wall))
    }

    private static func advice(_ head: ResponseHead, _ hasLogin: Bool) -> (Failure.Class, String) {
        switch head.status {
        case 400 where isFull(head), 401 where isFull(head):
            (.serverBusy, "the station may be full or off the air just now; try again later")
        case 407: (.unauthorized, "check the user name and password in the proxy's address")
        case 401 where hasLogin: (.unauthorized, "check the user name and the password")
        case 401: (.unauthorized, "give a user name and password in the address (http://user:password@host/…)")
        case 403:
            (
                .forbidden,
                """
                the station may be full or closed to your country, so try again later; or it refuses programs that it does \
                not know: give the name of another one
                """
            )
        case 400 where head.effectiveURL.lowercased().hasPrefix("http:"):
            (.http, "check the address in a browser; if it works there with https://, begin it with https:// here, too")
        case 404: (.notFound, "check the address; a station may be off the air just now")
        case 410: (.gone, "the station has moved: look for its new address")
        case 508:
            (
                .serverBusy,
                "that relay gets its audio from this one, directly or indirectly: give one of the two another address"
            )
        case 429, 500...599: (.serverBusy, "the server is busy or broken; try again later")
        default: (.http, "check the address in a browser")
        }
    }

    /// Whether the reason of the response means that the station is full or unavailable. SHOUTcast sends `ICY 400
    /// Server Full` and `ICY 401 Service Unavailable`, so the status alone does not tell.
    private static func isFull(_ head: ResponseHead) -> Bool {
        let reason = head.reason.lowercased()
        return ["full", "unavailable", "too many", "busy"].contains { reason.contains($0) }
    }

    /// The meaning of the status: in our words or, if we have none for this status, in the server's words.
    private static func words(_ head: ResponseHead, _ hasLogin: Bool) -> String {
        let reason = TitleText.cleaned(head.reason, toBytes: longestReason)
        let words =
            switch head.status {
            case 301, 302, 303, 307, 308: "a redirect without an address"
            case 401 where isFull(head): reason
            case 401: hasLogin ? "the user name or the password was not accepted" : "user name and password required"
            case 403: "not allowed, or full"
            case 404: "not found"
            case 407: "the proxy requires a user name and password"
            case 410: "gone"
            case 429: "too many requests"
            case 503: "unavailable"
            case 508: "a loop of relays"
            default: reason
            }
        return words.isEmpty ? "" : " (\(words))"
    }

    /// The maximum length of a reason in bytes of UTF-8.
    private static let longestReason = 60

    /// Whether the response counts as a file rather than a station: it has a known length, is resumable, and shows no
    /// sign of ICY. An unrequested partial response (206) proves nothing.
    static func kind(_ head: ResponseHead) -> SourceKind {
        guard !hasICY(head), let length = length(head), length > 0 else { return .live }
        return head["accept-ranges"]?.lowercased() == "bytes" ? .finite : .live
    }

    static func kind(_ head: ResponseHead, _ settings: StationSettings) -> SourceKind {
        guard settings.allowsFinite else { return .live }
        return settings.takesLengthForFile && isOfLength(head) ? .finite : kind(head)
    }

    /// Whether the head announces the length of a file.
    static func isOfLength(_ head: ResponseHead) -> Bool {
        guard !hasICY(head), let length = length(head) else { return false }
        return (1..<ContentLength.endless).contains(length)
    }

    /// Whether the body counts as a file once it has arrived faster than any station's.
    static func mayBeFile(_ head: ResponseHead) -> Bool {
        isOfLength(head) || !hasICY(head) && head["accept-ranges"]?.lowercased() == "bytes"
    }

    /// Whether the server sends anything that only radio servers send.
    static func hasICY(_ head: ResponseHead) -> Bool {
        head.isICY || head.fields.contains { $0.name.hasPrefix("icy-") || $0.name.hasPrefix("ice-") }
    }

    static func length(_ head: ResponseHead) -> Int64? { head["content-length"].flatMap { Int64($0) } }
}
