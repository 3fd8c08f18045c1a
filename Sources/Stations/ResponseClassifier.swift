// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore

/// What a response head means for a station: a pure decision.
enum ResponseClassifier {
    /// The failure that a status stands for; nil where the body may be audio.
    ///
    /// 403 and 404 are no last words from a radio server: they mean "full" and "the encoder is away" as well.
    static func failure(_ head: ResponseHead, on url: String, wall: WallInstant) -> Failure? {
        let status = head.status
        let said = "the server answered \(status)\(reason(status)) for \(url)"
        switch status {
        case 200, 206:
            return nil
        case 401, 407:
            return Failure(
                .unauthorized, said,
                remedy: "give a user name and password in the address (http://user:password@host/…)")
        case 403:
            return Failure(
                .forbidden, said, remedy: "the station may be full or closed to your country; try again later",
                retryAfter: retryAfter(head, wall))
        case 404:
            return Failure(
                .notFound, said, remedy: "check the address; the station may be off the air just now",
                retryAfter: retryAfter(head, wall))
        case 410:
            return Failure(.gone, said, remedy: "the station has moved: look for its new address")
        case 429, 500...599:
            return Failure(
                .serverBusy, said, remedy: "the server is busy or broken; try again later",
                retryAfter: retryAfter(head, wall))
        default:
            return Failure(.http, said, remedy: "check the address in a browser")
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 401: " (user name and password wanted)"
        case 403: " (not allowed, or full)"
        case 404: " (not found)"
        case 407: " (a proxy wants a user name and password)"
        case 410: " (gone)"
        case 429: " (too many requests)"
        case 503: " (unavailable)"
        default: ""
        }
    }

    /// `Retry-After` in seconds; a date would need the server's clock to be right and is left to the backoff.
    private static func retryAfter(_ head: ResponseHead, _ wall: WallInstant) -> Duration? {
        guard let text = head["retry-after"], let seconds = Int64(text), seconds >= 0 else { return nil }
        return min(.seconds(min(seconds, 86_400)), Backoff.longestRetryAfter)
    }

    /// Whether the response is a file and not a station: a known length, resumable, and nothing of ICY.
    static func kind(_ head: ResponseHead) -> SourceKind {
        let hasICY = head.isICY || head.fields.contains { $0.name.hasPrefix("icy-") || $0.name.hasPrefix("ice-") }
        guard !hasICY, let length = head["content-length"].flatMap({ Int64($0) }), length > 0 else { return .live }
        return head["accept-ranges"]?.lowercased() == "bytes" || head.status == 206 ? .finite : .live
    }
}
