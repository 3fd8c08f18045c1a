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
    private let client: any HTTPClient
    private var request: TransferRequest
    private let reactor: any Reactor
    private let done: (Result<Answer, Problem>) -> Void
    private var transfer: (any HTTPTransfer)?
    private var timer: (any ReactorTimer)?
    private var answer: Answer?

    private static let patience = Duration.seconds(10)

    init(
        _ read: FileRead, _ settings: StationSettings, validator: String?, client: any HTTPClient,
        reactor: any Reactor, done: @escaping (Result<Answer, Problem>) -> Void
    ) {
        self.read = read
        self.validator = validator
        self.reactor = reactor
        self.done = done
        let url = settings.urls.first ?? ""
        name = AddressText(url).redacted
        self.client = client
        request = settings.request(for: url)
        request.allowsPrivateAddress = settings.allowsPrivateAddress
        request.refusesCompression = true
        if read.offset > 0 { (request.resumeAt, request.resumeValidator) = (read.offset, validator) }
        transfer = client.start(request, delegate: self)
        let timer = reactor.makeTimer { [weak self] in self?.fail(.timeout, "does not answer in time") }
        timer.arm(at: reactor.now + Self.patience)
        self.timer = timer
    }

    func cancel() {
        transfer?.cancel()
        transfer = nil
        timer?.cancel()
    }

    private func end(_ result: Result<Answer, Problem>) {
        guard transfer != nil else { return }
        cancel()
        done(result)
    }

    private func fail(_ kind: Failure.Class, _ words: String) {
        end(.failure(.failed(Failure(kind, "\(name) \(words)", remedy: "play it from its start"))))
    }

    /// The answer that follows this head; nil if the head does not prove that the requested range follows.
    private func answer(_ head: ResponseHead) -> Answer? {
        let size: Int64? =
            switch RangeAnswer(head, asked: read.offset) {
            case .part(let total): total
            case .whole where read.offset == 0 && ResponseClassifier.isOfLength(head): ResponseClassifier.length(head)
            default: nil
            }
        return size.map {
            Answer(bytes: [], size: $0, validator: FileBody.validator(head), contentType: head["content-type"])
        }
    }
}

extension RangeFetch: TransferDelegate {
    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {}

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        switch RangeAnswer(head, asked: request.resumeAt ?? 0) {
        case .beyondEnd(let size) where size <= read.offset: return end(.failure(.changed))
        case .beyondEnd, .refused:
            transfer.cancel()
            (request.resumeAt, request.resumeValidator) = (nil, nil)
            self.transfer = client.start(request, delegate: self)
            return
        case .part, .otherPart, .whole, .failed: break
        }
        if let failure = ResponseClassifier.failure(head, on: name, wall: reactor.wallNow) {
            return end(.failure(.failed(failure)))
        }
        if let validator, let now = FileBody.validator(head), now != validator { return end(.failure(.changed)) }
        answer = answer(head)
        if answer == nil { end(.failure(.notFromMiddle)) }
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {
        guard var answer else { return }
        self.answer = nil
        answer.bytes.append(contentsOf: bytes.prefix(read.count - answer.bytes.count))
        self.answer = answer
        if answer.bytes.count >= read.count { end(.success(answer)) }
    }

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        if let error { return end(.failure(.failed(Failure(error)))) }
        guard let answer else { return fail(.dropped, "breaks off") }
        let isWhole = read.offset + Int64(answer.bytes.count) >= min(answer.size, read.offset + Int64(read.count))
        isWhole ? end(.success(answer)) : fail(.dropped, "breaks off")
    }
}
