// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport

/// HTTP in virtual time: a closure decides the answer to each request when the request starts.
final class AnsweringClient: HTTPClient {
    enum Answer {
        /// A response whose body sends the programme's frames, 20 ms apart, and then stays open.
        case audio(SampleProgramme)
        case status(Int, reason: String = "", fields: [(name: String, value: String)] = [])
        case failure(TransferError)
    }

    struct Call {
        var url: String
        var at: MonotonicInstant
    }

    private(set) var calls: [Call] = []
    private let reactor: ManualReactor
    private let answer: (TransferRequest, MonotonicInstant) -> Answer

    init(reactor: ManualReactor, answer: @escaping (TransferRequest, MonotonicInstant) -> Answer) {
        self.reactor = reactor
        self.answer = answer
    }

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> any HTTPTransfer {
        calls.append(Call(url: request.url, at: reactor.now))
        let exchange = Exchange(delegate, reactor: reactor)
        let answer = answer(request, reactor.now)
        reactor.defer { exchange.play(answer, url: request.url) }
        return exchange
    }

    private final class Exchange: HTTPTransfer {
        private let reactor: ManualReactor
        private var delegate: (any TransferDelegate)?
        private var rest: [[UInt8]] = []
        private lazy var timer = reactor.makeTimer { [unowned self] in sendNext() }

        init(_ delegate: any TransferDelegate, reactor: ManualReactor) {
            self.delegate = delegate
            self.reactor = reactor
        }

        func play(_ answer: Answer, url: String) {
            for phase in [TransferPhase.resolving, .connecting, .waitingForHead] {
                delegate?.transfer(self, entered: phase)
            }
            switch answer {
            case .audio(let programme):
                deliver(ResponseHead(status: 200, fields: [("icy-name", "Answers")], finalURL: url))
                rest = stride(from: 0, to: programme.bytes.count, by: programme.frameLength).map {
                    Array(programme.bytes[$0..<($0 + programme.frameLength)])
                }
                sendNext()
            case .status(let status, let reason, let fields):
                deliver(ResponseHead(status: status, reason: reason, fields: fields, finalURL: url))
                end(nil)
            case .failure(let error):
                end(error)
            }
        }

        private func deliver(_ head: ResponseHead) {
            delegate?.transfer(self, received: head)
            delegate?.transfer(self, entered: .receiving)
        }

        /// Sends one frame, and the next one 20 ms later.
        private func sendNext() {
            guard let delegate, !rest.isEmpty else { return }
            let bytes = rest.removeFirst()
            timer.arm(at: reactor.now + .milliseconds(20))
            bytes.withUnsafeBytes { delegate.transfer(self, received: $0) }
            delegate.transferDelivered(self)
        }

        private func end(_ error: TransferError?) {
            guard let delegate else { return }
            self.delegate = nil
            delegate.transfer(self, endedWith: error)
        }

        func cancel() {
            delegate = nil
            timer.cancel()
        }

        func pause() {}
        func resume() {}
        func gather(_ bytes: Int, isCoalesced: Bool) {}
    }
}

/// A station in virtual time, with a sink that records everything, on the test's own thread.
final class VirtualStation {
    let reactor = ManualReactor()
    let began: MonotonicInstant
    let client: AnsweringClient
    let station: Station
    private let sink: Sink

    private final class Sink: StreamSink {
        var heard = Heard()
        /// The time at which the first frame arrived.
        var firstFrame: MonotonicInstant?
        let reactor: ManualReactor
        init(_ reactor: ManualReactor) { self.reactor = reactor }

        func receive(_ event: StreamEvent) {
            heard.add(event, at: reactor.now, reactor.wallNow)
            if heard.frames > 0 { firstFrame = firstFrame ?? reactor.now }
        }
    }

    /// Starts a station. `answer` gets the time since the start.
    init(
        _ urls: String..., change: (inout StationSettings) -> Void = { _ in },
        answer: @escaping (TransferRequest, Duration) -> AnsweringClient.Answer
    ) {
        var settings = StationSettings.patient(urls)
        change(&settings)
        let began = reactor.now
        self.began = began
        client = AnsweringClient(reactor: reactor) { answer($0, $1 - began) }
        station = Station(settings: settings, client: client, reactor: reactor)
        sink = Sink(reactor)
        station.onNotice = { [sink] in sink.heard.notices.append($0) }
        station.hub.attach(sink)
        station.start()
        reactor.settle()
    }

    deinit { station.stop() }

    var heard: Heard { sink.heard }

    /// The time of each request, counted from the start.
    var callTimes: [Duration] { client.calls.map { $0.at - began } }

    /// The time from the start to the delivery of the first frame.
    var firstFrame: Duration? { sink.firstFrame.map { $0 - began } }
}
