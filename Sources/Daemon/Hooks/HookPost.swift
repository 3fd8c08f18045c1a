// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats

/// One attempt to send an event over HTTP.
///
/// It ends with the head of the response; the body is ignored.
final class HookPost: TransferDelegate {
    private var transfer: (any HTTPTransfer)?
    private var timer: (any ReactorTimer)?
    /// Nil once the attempt has ended or been cancelled.
    private var onEnd: ((HookOutcome) -> Void)?

    private static let longestReason = 200

    /// Begins the request. Calls `onEnd` once, never during this call.
    init(
        _ request: TransferRequest, client: any HTTPClient, reactor: any Reactor, deadline: Duration,
        onEnd: @escaping (HookOutcome) -> Void
    ) {
        self.onEnd = onEnd
        transfer = client.start(request, delegate: self)
        let timer = reactor.makeTimer { [weak self] in
            let why = "its server has not answered within \(HumanDuration.print(deadline))"
            self?.end(.failed(why, isWorthRepeating: true))
        }
        timer.arm(at: reactor.now + deadline)
        self.timer = timer
    }

    /// Ends the request without calling `onEnd`.
    func cancel() {
        onEnd = nil
        timer?.cancel()
        transfer?.cancel()
        transfer = nil
    }

    private func end(_ outcome: HookOutcome) {
        guard let onEnd else { return }
        cancel()
        onEnd(outcome)
    }

    // MARK: TransferDelegate

    func transfer(_ transfer: any HTTPTransfer, entered phase: TransferPhase) {}

    func transfer(_ transfer: any HTTPTransfer, received head: ResponseHead) {
        guard !(200..<300).contains(head.status) else { return end(.done) }
        let reason = TitleText.cleaned(head.reason, toBytes: Self.longestReason)
        let isBusy = [408, 425, 429, 502, 503, 504].contains(head.status)
        end(
            .failed(
                "its server answered \(head.status)\(reason.isEmpty ? "" : " \(reason)")", isWorthRepeating: isBusy))
    }

    func transfer(_ transfer: any HTTPTransfer, received bytes: UnsafeRawBufferPointer) {}

    func transfer(_ transfer: any HTTPTransfer, endedWith error: TransferError?) {
        guard let error else { return end(.failed("its server has not answered")) }
        end(.failed(error.hookFailure, isWorthRepeating: error.isWorthRepeating))
    }
}
