// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// How to request an address, how to interpret its responses, and which of them call for another request.
struct RequestPlan {
    private(set) var target: Upstream.Target
    private var settings: StationSettings
    /// Where in the file to begin; nil for its start.
    var begin: FileBegin?
    /// The address that answered with a web page, if the stream's usual path was tried because of that.
    private var pageName: String?
    private var refusesCompression = false

    /// A file at full speed needs a large buffer: with a buffer of half the size, receiving it costs a sixth more. A
    /// live stream fills the buffer only with its burst, but all of the buffer's memory then stays in use.
    private static let (receiveBuffer, smallReceiveBuffer) = (64 * 1024, 16 * 1024)

    init(_ target: Upstream.Target, _ settings: StationSettings) {
        (self.target, self.settings) = (target, settings)
        begin = settings.fileBegin.flatMap { $0.byte > 0 ? $0 : nil }
    }

    /// The redacted address.
    var name: String { AddressText(target.url).redacted }

    /// See ``StationSettings/hasCredentials(for:)``.
    func hasCredentials(for url: String) -> Bool { settings.hasCredentials(for: url) }

    /// Whether the server that answered has been sent a user name and a password. After a redirect, only the address
    /// itself or the file of passwords may have had them.
    private func hasLogin(_ head: ResponseHead) -> Bool {
        guard head.redirects == 0 else { return hasCredentials(for: head.effectiveURL) }
        let hasField = settings.headers.contains { $0.name.lowercased() == "authorization" }
        return hasCredentials(for: target.url) || target.sendsHeaders && hasField
    }

    /// `relayFields`: the fields by which a relay names itself and the relays that it feeds; not secret.
    func request(_ relayFields: [StationSettings.Header]) -> TransferRequest {
        var request = settings.request(for: target.url, target.options, sendsHeaders: target.sendsHeaders)
        request.wantsMetadata = target.wantsMetadata
        request.receiveBuffer = settings.allowsFinite ? Self.receiveBuffer : Self.smallReceiveBuffer
        request.cookies = target.cookies
        let filler = FillerField(isNew: target.isNew)
        request.openHeaders += [(FillerField.name, filler.value)] + relayFields.map { ($0.name, $0.value) }
        (request.refusesCompression, request.decodesContent) = (refusesCompression, refusesCompression)
        request.allowsPrivateAddress = target.allowsPrivateAddress
        if let begin { (request.resumeAt, request.resumeValidator) = (begin.byte, begin.validator) }
        return request
    }
}

// MARK: - Responses

extension RequestPlan {
    /// The failure that a response head indicates; nil if the body may be audio.
    func failure(_ head: ResponseHead, _ wall: WallInstant) -> Failure? {
        let failure = ResponseClassifier.failure(
            head, on: place(head), through: settings.proxy, hasLogin: hasLogin(head), wall: wall)
        // The stream's path was a guess. If that path does not exist, the reported failure is that the address sends a
        // web page.
        if let pageName, failure?.failureClass == .notFound { return Failure(.html, at: pageName) }
        if failure == nil, let file = target.foundFile, file.isAnnounced(by: head) { return file.failure }
        if failure == nil, let begin, !RangeAnswer(head, asked: begin.byte).isRequestedPart {
            return Failure(
                .unsupported, "\(name) cannot be read from the middle: its server does not support ranges",
                remedy: "play it from its start")
        }
        if failure == nil, begin == nil, let first = RangeAnswer.first(head), first > 0 {
            return Failure(
                .http, "\(place(head)) sent a part of a file, from byte \(first) on, although all of it was requested",
                remedy: "the server is misconfigured: try again later, or look for another address")
        }
        return failure
    }

    /// The redacted address that answered, with the address that led there.
    func place(_ head: ResponseHead?) -> String {
        guard let head, head.redirects > 0, head.finalURL != name else { return name }
        return "\(head.finalURL) (where \(name) leads)"
    }

    func info(_ head: ResponseHead) -> StationInfo {
        var info = StationInfo(head, url: target.url, settings: settings)
        if !target.believesHead { info.metadataInterval = nil }
        // The bytes of a decoded body are not those at which a file could be resumed.
        if refusesCompression, head["content-encoding"] != nil { info.kind = .live }
        // A part of a file was requested, and the head confirms it.
        if begin != nil, settings.allowsFinite { info.kind = .finite }
        return info
    }

    /// The URL of the audio if it differs from the address.
    func movedTo(_ head: ResponseHead) -> String? {
        head.redirects > 0 || pageName != nil ? head.effectiveURL : nil
    }

    /// The frame path for the body of the response.
    func path(_ head: ResponseHead, _ info: StationInfo, _ faults: StreamFaults) -> FramePath {
        FramePath(
            interval: info.metadataInterval, contentType: head["content-type"], url: head.finalURL,
            charset: settings.charset, spotsMetadata: info.kind == .live && target.wantsMetadata, faults: faults,
            start: begin?.start)
    }
}

// MARK: - Further requests

extension RequestPlan {
    /// Keeps the cookies of a response for further requests.
    mutating func keepCookies(of head: ResponseHead) { target.cookies = head.cookies }

    /// Handles a body that was compressed although this was not requested. Returns true if the address should be
    /// requested again, now refusing compression explicitly, and decoding a body that is compressed all the same.
    mutating func refuseCompression() -> Bool {
        defer { refusesCompression = true }
        return !refusesCompression
    }

    /// Handles a web page. Returns true if the stream may be behind it on the same server.
    mutating func goBehindPage(_ head: ResponseHead?) -> Bool {
        let page = head.map { $0.redirects > 0 ? $0.effectiveURL : target.url } ?? target.url
        guard pageName == nil, let streamURL = URLReference(page).streamBehindPage else { return false }
        pageName = place(head)
        target.url = streamURL
        if let head, head.redirects > 0 {
            // The server of the page is the station's choice, not the user's.
            (target.sendsHeaders, target.allowsPrivateAddress) = (false, head.isPeerPrivate)
        }
        return true
    }

    /// Lets the next response be a station's only, because a supposed file is a station.
    mutating func expectStation() { settings.allowsFinite = false }
}
