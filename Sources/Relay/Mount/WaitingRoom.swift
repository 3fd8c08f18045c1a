// SPDX-License-Identifier: MIT

import HTTPServer
import Instants

/// A request that waits for the first audio of an on-demand station, or of the fallback.
struct WaitingRequest {
    let exchange: HTTPExchange
    let kind: ListenerKind
    /// The file extension in the requested path; nil if it had none.
    let fileExtension: String?
    /// The relays that the request passed through.
    let hops: [RelayID]
    let since: MonotonicInstant
}

/// The waiting requests, in order of arrival.
final class WaitingRoom {
    private var requests: [WaitingRequest] = []

    /// What to do with a request.
    enum Verdict {
        case keep
        case drop
        /// The request is dropped, and the remaining requests are left for later.
        case dropAndPause
    }

    func add(_ request: WaitingRequest) { requests.append(request) }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    var first: WaitingRequest? { requests.first }
    var hasPlayer: Bool { requests.contains { $0.kind == .player } }
    /// The relays that each request passed through.
    var hops: [[RelayID]] { requests.map(\.hops) }

    /// Applies `judge` to the requests in order, and removes dropped ones. Returns false if some requests were left
    /// unjudged.
    func sort(_ judge: (WaitingRequest) -> Verdict) -> Bool {
        let all = requests
        var (kept, next, continues) = ([WaitingRequest](), 0, true)
        while next < all.count, continues {
            switch judge(all[next]) {
            case .keep: kept.append(all[next])
            case .drop: break
            case .dropAndPause: continues = false
            }
            next += 1
        }
        requests = kept + all[next...]
        return next == all.count
    }

    /// Removes the request of this exchange. Returns false if there is none.
    func remove(_ exchange: HTTPExchange) -> Bool {
        guard let index = requests.firstIndex(where: { $0.exchange === exchange }) else { return false }
        requests.remove(at: index)
        return true
    }

    /// Removes and returns all requests.
    func removeAll() -> [WaitingRequest] {
        defer { requests = [] }
        return requests
    }
}
