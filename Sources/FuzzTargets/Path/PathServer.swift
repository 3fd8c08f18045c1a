// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore
import RadioFormats

/// The server for an input, in place of curl: its driver determines what each transfer receives, and when.
final class PathServer: HTTPClient {
    final class Transfer: HTTPTransfer {
        let request: TransferRequest
        /// The bytes of the body received.
        private(set) var taken: [UInt8] = []
        /// The metadata interval in the head; nil for none.
        private(set) var interval: Int?
        private(set) var contentType = ""
        private var delegate: (any TransferDelegate)?
        private var isPaused = false

        init(_ request: TransferRequest, _ delegate: any TransferDelegate) {
            self.request = request
            self.delegate = delegate
        }

        /// Whether the client is still listening.
        var isOpen: Bool { delegate != nil }

        func cancel() { delegate = nil }
        func pause() { isPaused = true }
        func resume() { isPaused = false }
        func gather(_ bytes: Int, isCoalesced: Bool) {}

        /// Reports the phases of a transfer and sends the head. For a file, the body continues at byte `place` of
        /// `length`.
        func receiveHead(_ plan: PathPlan, from place: Int, of length: Int) {
            for phase in [TransferPhase.resolving, .connecting, .waitingForHead] {
                delegate?.transfer(self, entered: phase)
            }
            contentType = PathPlan.contentTypes[plan.contentType]
            var fields = [("content-type", contentType)]
            if plan.isFile {
                fields += [("accept-ranges", "bytes"), ("content-length", "\(length - place)"), ("etag", "\"1\"")]
                if request.resumeAt != nil {
                    fields.append(("content-range", "bytes \(place)-\(length - 1)/\(length)"))
                }
            } else {
                fields.append(("icy-name", "Test"))
                if plan.interval > 0, request.wantsMetadata || plan.insists {
                    interval = ICYDemuxer.interval(ofHeader: "\(plan.interval)")
                    fields.append(("icy-metaint", "\(plan.interval)"))
                }
            }
            let status = plan.isFile && request.resumeAt != nil ? 206 : 200
            delegate?.transfer(self, received: ResponseHead(status: status, fields: fields, finalURL: request.url))
            delegate?.transfer(self, entered: .receiving)
        }

        /// Sends bytes of the body. Returns false once the client has stopped listening.
        func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
            guard let delegate else { return false }
            taken += bytes
            bytes.withUnsafeBytes { delegate.transfer(self, received: $0) }
            delegate.transferDelivered(self)
            return isOpen
        }

        func end(_ error: TransferError? = nil) {
            let delegate = delegate
            self.delegate = nil
            delegate?.transfer(self, endedWith: error)
        }
    }

    /// All transfers, in order of their start.
    private(set) var transfers: [Transfer] = []

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        let transfer = Transfer(request, delegate)
        transfers.append(transfer)
        return transfer
    }
}

extension PathServer.Transfer {
    /// All frames that the body may contain, in order, found in the simplest way: by parsing the whole body at once.
    /// The result also includes the frames that are found if metadata is not removed, because the station may have
    /// looked for metadata in vain.
    func frames(continuing bytes: [UInt8]) -> [[UInt8]] {
        let body = bytes + taken
        let plain = Self.frames(in: body, contentType, request.url)
        guard let interval else { return plain }
        var audio: [UInt8] = []
        var demuxer = ICYDemuxer(interval: interval)
        body.withUnsafeBytes { input in
            var offset = 0
            while let event = demuxer.next(in: input, at: &offset) {
                if case .audio(let range) = event { audio += input[range] }
            }
        }
        return Self.frames(in: audio, contentType, request.url) + plain
    }

    private static func frames(in audio: [UInt8], _ contentType: String, _ url: String) -> [[UInt8]] {
        PartChecks.frames(of: audio, by: PartFramer(contentType: contentType, name: url))
    }
}
