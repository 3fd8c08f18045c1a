// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Fetches a range of a file on the web.
///
/// The response must prove its position: 206 with the requested range or, for the file's start, 200 with the whole
/// file. If the server refuses the range, a request for the whole file tells whether it refuses the file as well.
final class RangeFetch {
    struct Answer: Sendable {
        var bytes: [UInt8]
        /// The size of the whole file in bytes.
        var size: Int64
        var validator: String?
        var contentType: String?

        /// The bytes for another read, from an answer that starts at the file's start; nil if the answer does not
        /// contain these bytes.
        func bytes(_ read: FileRead) -> [UInt8]? {
            let (end, overflow) = read.offset.addingReportingOverflow(Int64(read.count))
            let reaches = bytes.count >= min(end, size)
            guard !overflow, reaches, read.offset >= 0, read.offset <= bytes.count else { return nil }
            return Array(bytes[Int(read.offset)..<Int(min(end, Int64(bytes.count)))])
        }
    }

    enum Problem: Error {
        /// The server sends only the whole file, or does not prove that it sends the requested range.
        case notFromMiddle
        /// The validator shows that the file has changed.
        case changed
        case failed(Failure)

        func failure(of settings: StationSettings) -> Failure {
            let name = AddressText(settings.urls.first ?? "").redacted
            return switch self {
            case .notFromMiddle:
                Failure(
                    .unsupported, "\(name) cannot be read from the middle: its server does not support ranges",
                    remedy: "play it from its start")
            case .changed: Failure(.dropped, "\(name) has changed", remedy: "play it from its start")
            case .failed(let failure): failure
            }
        }
    }

    private let read: FileRead
    private let validator: String?
    private let name: String
    private let reactor: any Reactor
    private let client: any HTTPClient
    private let deadline: MonotonicInstant
    private let done: (Result<Answer, Problem>) -> Void
    private var fetch: Fetch?

    private static let patience = Duration.seconds(10)

    init(
        _ read: FileRead, _ settings: StationSettings, validator: String?, client: any HTTPClient,
        reactor: any Reactor, done: @escaping (Result<Answer, Problem>) -> Void
    ) {
        (self.read, self.validator, self.reactor, self.client, self.done) = (read, validator, reactor, client, done)
        deadline = reactor.now + Self.patience
        let url = settings.urls.first ?? ""
        name = AddressText(url).redacted
        var request = settings.request(for: url)
        request.allowsPrivateAddress = settings.allowsPrivateAddress
        request.refusesCompression = true
        if read.offset > 0 { (request.resumeAt, request.resumeValidator) = (read.offset, validator) }
        begin(request)
    }

    private func begin(_ request: TransferRequest) {
        fetch = Fetch(
            request, limit: read.count, deadline: deadline, client: client, reactor: reactor,
            isEnough: { [weak self] response in
                guard let self, case .success = answer(to: request, response.head) else { return true }
                return response.body.count >= read.count
            }, done: { [weak self] in self?.fetched($0, request) })
    }

    func cancel() { fetch?.cancel() }

    private func fetched(_ result: Result<Fetch.Response, Fetch.Problem>, _ request: TransferRequest) {
        switch result {
        case .success(let response):
            if let answer = answer(to: request, response.head) {
                return done(answer.flatMap { completed($0, response.body) })
            }
            var whole = request
            (whole.resumeAt, whole.resumeValidator) = (nil, nil)
            begin(whole)
        case .failure(.failed(let error)): done(.failure(.failed(Failure(error))))
        case .failure(.timeout), .failure(.tooLong): done(.failure(problem(.timeout, "does not answer in time")))
        }
    }

    /// The beginning of the answer, which follows this head, or why the head is none; nil if the server refuses only
    /// the range.
    private func answer(to request: TransferRequest, _ head: ResponseHead) -> Result<Answer, Problem>? {
        switch RangeAnswer(head, asked: request.resumeAt ?? 0) {
        case .beyondEnd(let size) where size <= read.offset: return .failure(.changed)
        case .beyondEnd, .refused: return nil
        case .part, .otherPart, .whole, .failed: break
        }
        if let failure = ResponseClassifier.failure(head, on: name, wall: reactor.wallNow) {
            return .failure(.failed(failure))
        }
        if let validator, let now = FileBody.validator(head), now != validator { return .failure(.changed) }
        let size: Int64? =
            switch RangeAnswer(head, asked: read.offset) {
            case .part(let total): total
            case .whole where read.offset == 0 && ResponseClassifier.isOfLength(head): ResponseClassifier.length(head)
            default: nil
            }
        guard let size else { return .failure(.notFromMiddle) }
        return .success(
            Answer(bytes: [], size: size, validator: FileBody.validator(head), contentType: head["content-type"]))
    }

    private func completed(_ answer: Answer, _ body: [UInt8]) -> Result<Answer, Problem> {
        var answer = answer
        answer.bytes = Array(body.prefix(read.count))
        let end = min(answer.size, read.offset + Int64(read.count))
        let isComplete = read.offset + Int64(answer.bytes.count) >= end
        return isComplete ? .success(answer) : .failure(problem(.dropped, "breaks off"))
    }

    private func problem(_ kind: Failure.Class, _ words: String) -> Problem {
        .failed(Failure(kind, "\(name) \(words)", remedy: "play it from its start"))
    }
}
