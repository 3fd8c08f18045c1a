// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats

/// How an address is asked, how its answers are taken, and after which of them it is asked once more in another way: a
/// value.
struct RequestPlan {
    private(set) var target: Upstream.Target
    private var settings: StationSettings
    /// The address that answered with a page, where the stream's own path was tried because of that.
    private var pageName: String?
    private var refusesCompression = false

    /// A file at full speed wants a large buffer; a live stream never fills it, but its pages are touched by and by.
    private static let receiveBuffer = 64 * 1024

    init(_ target: Upstream.Target, _ settings: StationSettings) {
        (self.target, self.settings) = (target, settings)
    }

    /// The address, for people.
    var name: String { AddressText(target.url).redacted }

    /// `relayFields`: what a relay says of itself and of those below it just now; no secret.
    func request(_ relayFields: [StationSettings.Header]) -> TransferRequest {
        var request = TransferRequest(
            url: target.url, userAgent: settings.userAgent, wantsMetadata: target.wantsMetadata,
            receiveBuffer: Self.receiveBuffer)
        if target.sendsHeaders { request.headers = settings.headers.map { ($0.name, $0.value) } }
        request.openHeaders = [(FillerField.name, FillerField.none)] + relayFields.map { ($0.name, $0.value) }
        request.refusesCompression = refusesCompression
        request.caFile = settings.caFile
        request.allowsPrivateAddress = target.allowsPrivateAddress
        if let begin { (request.resumeAt, request.resumeValidator) = (begin.byte, begin.validator) }
        return request
    }

    /// Where in a file it is to begin; nil at the start.
    var begin: FileBegin? { settings.fileBegin.flatMap { $0.byte > 0 ? $0 : nil } }
}

// MARK: - Answers

extension RequestPlan {
    /// The failure that a head stands for; nil where the body may be audio.
    func failure(_ head: ResponseHead, _ wall: WallInstant) -> Failure? {
        let failure = ResponseClassifier.failure(head, on: name, wall: wall)
        // The stream's path was our own guess: where it is missing, the failure is the page.
        if let pageName, failure?.failureClass == .notFound { return Failure(.html, at: pageName) }
        if failure == nil, let begin, !isFrom(begin.byte, head) {
            return Failure(
                .unsupported, "\(name) cannot be read from the middle: its server knows no ranges",
                remedy: "play it from its start")
        }
        return failure
    }

    private func isFrom(_ byte: Int64, _ head: ResponseHead) -> Bool {
        head.status == 206 && head["content-range"].flatMap(ContentRange.init)?.start == byte
    }

    func info(_ head: ResponseHead) -> StationInfo {
        var info = StationInfo(head, url: target.url, settings: settings)
        if !target.believesHead { info.metadataInterval = nil }
        // Somebody has asked for this part, and the head says that it comes.
        if begin != nil, settings.allowsFinite { info.kind = .finite }
        return info
    }

    /// The URL of the audio where that is not the address itself.
    func movedTo(_ head: ResponseHead) -> String? {
        head.redirects > 0 || pageName != nil ? head.effectiveURL : nil
    }

    /// The way of the body's bytes.
    func path(_ head: ResponseHead, _ info: StationInfo, _ faults: StreamFaults) -> FramePath {
        FramePath(
            interval: info.metadataInterval, contentType: head["content-type"], url: head.finalURL,
            charset: settings.charset, spotsMetadata: info.kind == .live && target.wantsMetadata, faults: faults)
    }
}

// MARK: - Once more

extension RequestPlan {
    /// The body was compressed although that was not asked for. True where the address is to be asked again, now with
    /// a word against it.
    mutating func refuseCompression() -> Bool {
        defer { refusesCompression = true }
        return !refusesCompression
    }

    /// The answer is a web page. True where the stream may be behind it, at the same server.
    mutating func goBehindPage() -> Bool {
        guard pageName == nil, let streamURL = URLReference(target.url).streamBehindPage else { return false }
        pageName = name
        target.url = streamURL
        return true
    }

    /// What was taken for a file is a station, and the next head is a station's.
    mutating func expectStation() { settings.allowsFinite = false }
}
