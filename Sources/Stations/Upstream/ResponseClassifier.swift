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
    static func failure(_ head: ResponseHead, on url: String, wall: WallInstant) -> Failure? {
        guard ![200, 206].contains(head.status) else { return nil }
        let said = "the server answered \(head.status)\(words(head)) for \(url)"
        let (failureClass, remedy) = advice(head)
        let setting: SettingField? = head.status == 407 ? .proxy : nil
        return Failure(
            failureClass, said, remedy: remedy, setting: setting, retryAfter: RetryAfter.delay(head, wall: wall))
    }

    private static func advice(_ head: ResponseHead) -> (Failure.Class, String) {
        switch head.status {
        case 400 where isFull(head), 401 where isFull(head):
            (.serverBusy, "the station may be full or off the air just now; try again later")
        case 407: (.unauthorized, "put the user name and password into the proxy's address")
        case 401: (.unauthorized, "give a user name and password in the address (http://user:password@host/…)")
        case 403: (.forbidden, "the station may be full or closed to your country; try again later")
        case 404: (.notFound, "check the address; the station may be off the air just now")
        case 410: (.gone, "the station has moved: look for its new address")
        case 508:
            (
                .serverBusy,
                "that relay gets its audio from here, directly or through others: give one of both another address"
            )
        case 429, 500...599: (.serverBusy, "the server is busy or broken; try again later")
        default: (.http, "check the address in a browser")
        }
    }

    /// SHOUTcast sends `ICY 400 Server Full` and `ICY 401 Service Unavailable`: only the reason tells what they mean.
    private static func isFull(_ head: ResponseHead) -> Bool {
        let reason = head.reason.lowercased()
        return ["full", "unavailable", "too many", "busy"].contains { reason.contains($0) }
    }

    /// The meaning of the status, in our words or else in the server's words.
    private static func words(_ head: ResponseHead) -> String {
        let reason = TitleText.cleaned(head.reason, toBytes: longestReason)
        let words =
            switch head.status {
            case 401 where isFull(head): reason
            case 401: "user name and password required"
            case 403: "not allowed, or full"
            case 404: "not found"
            case 407: "a proxy wants a user name and password"
            case 410: "gone"
            case 429: "too many requests"
            case 503: "unavailable"
            case 508: "a loop of relays"
            default: reason
            }
        return words.isEmpty ? "" : " (\(words))"
    }

    /// In bytes of UTF-8.
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

    /// Whether the head announces a plausible length: some stations announce the largest possible number.
    static func isOfLength(_ head: ResponseHead) -> Bool {
        guard !hasICY(head), let length = length(head) else { return false }
        return length > 0 && length < Int64(Int32.max)
    }

    /// Whether the server sends anything that only radio servers send.
    static func hasICY(_ head: ResponseHead) -> Bool {
        head.isICY || head.fields.contains { $0.name.hasPrefix("icy-") || $0.name.hasPrefix("ice-") }
    }

    static func length(_ head: ResponseHead) -> Int64? { head["content-length"].flatMap { Int64($0) } }
}
