// SPDX-License-Identifier: MIT

import Configuration
import CurlClient
import RadioCore
import RadioFormats

// The requests of hooks.
extension TransferRequest {
    /// A POST of an event as JSON. `settings` are the settings of the hook.
    static func post(_ event: HookEvent, to url: String, _ settings: HookSettings) -> TransferRequest {
        hook(url, event.json.encoded(), [("Content-Type", "application/json")], settings)
    }

    /// A message about an event to an ntfy topic. `settings` are the settings of the hook.
    static func ntfy(_ words: HookMessage, to url: String, _ settings: HookSettings) -> TransferRequest {
        let fields = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Title", EncodedWord.encode(words.title)),
            ("Tags", words.tag),
        ]
        return hook(url, Array(words.body.utf8), fields, settings)
    }

    private static func hook(
        _ url: String, _ body: [UInt8], _ fields: [(name: String, value: String)], _ settings: HookSettings
    ) -> TransferRequest {
        let deadline = settings.deadline
        var request = TransferRequest(url: url, wantsMetadata: false, connectTimeout: min(deadline, .seconds(10)))
        request.headTimeout = deadline
        request.body = .post(body)
        request.openHeaders = fields
        if let token = settings.token { request.headers = [("Authorization", "Bearer \(token)")] }
        // Redirects are not followed, because an event is meant only for the configured address.
        request.followsRedirects = false
        return request
    }
}

extension HookOutcome {
    /// The outcome of a request, which is over with the head of its response.
    init(_ result: Result<Fetch.Response, Fetch.Problem>, _ deadline: Duration) {
        switch result {
        case .success(let response):
            let head = response.head
            guard !(200..<300).contains(head.status) else { return }
            let reason = TitleText.cleaned(head.reason, toBytes: Self.longestReason)
            failure = "its server answered \(head.status)\(reason.isEmpty ? "" : " \(reason)")"
            // 500 is also the answer of a server that never accepts the event, but one too often is better than none.
            isWorthRepeating = [408, 425, 429].contains(head.status) || head.status >= 500
        case .failure(.failed(let error)):
            failure = error.hookFailure
            isWorthRepeating = error.isWorthRepeating
        case .failure(.timeout), .failure(.tooLong):
            failure = "its server has not answered within \(HumanDuration.print(deadline))"
            isWorthRepeating = true
        }
    }

    private static let longestReason = 200
}

extension TransferError {
    /// Why a hook has failed. Leaves out the address, because its path may be a secret.
    fileprivate var hookFailure: String {
        switch code {
        case .badURL, .badHeader: "its address cannot be used"
        case .unknownHost: "the host of its address is not known"
        case .refused: "its server refuses connections"
        case .unreachable: "its server cannot be reached from here"
        case .connectTimeout, .headTimeout: "its server does not answer in time"
        case .dropped, .truncated: "its server has closed the connection"
        case .addressForbidden: "its server has an address to which Aircheck does not connect"
        case .resources: "this machine has no descriptors or memory left"
        default: "the request has failed (\(code))"
        }
    }

    /// Whether another attempt may succeed, because the network or a shortage on this machine was the cause.
    fileprivate var isWorthRepeating: Bool {
        [.unknownHost, .refused, .unreachable, .connectTimeout, .headTimeout, .dropped, .truncated, .resources]
            .contains(code)
    }
}
