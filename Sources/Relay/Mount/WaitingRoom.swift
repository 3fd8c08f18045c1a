// SPDX-License-Identifier: MIT

import HTTPServer
import Instants

/// A request that waits for the first audio of a station that is connected to only while somebody listens, or of the
/// fallback.
struct WaitingRequest {
    let exchange: HTTPExchange
    let kind: ListenerKind
    /// The file extension in the requested path; nil if it had none.
    let fileExtension: String?
    /// The relays that the request came through.
    let hops: [RelayID]
    let since: MonotonicInstant
}

/// The requests that wait, in the order in which they came.
final class WaitingRoom {
    private var requests: [WaitingRequest] = []

    /// What to do with a request.
    enum Verdict {
        case keep
        case drop
        /// The same, and the remaining requests are left for later.
        case dropAndPause
    }

    func add(_ request: WaitingRequest) { requests.append(request) }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    var first: WaitingRequest? { requests.first }
    var hasPlayer: Bool { requests.contains { $0.kind == .player } }
    /// For each request the relays that it came through.
    var hops: [[RelayID]] { requests.map(\.hops) }

    /// Judges the requests in order and removes those that are dropped. False if `judge` paused before the last one.
    func sort(_ judge: (WaitingRequest) -> Verdict) -> Bool {
        let all = requests
        var (kept, next, goesOn) = ([WaitingRequest](), 0, true)
        while next < all.count, goesOn {
            switch judge(all[next]) {
            case .keep: kept.append(all[next])
            case .drop: break
            case .dropAndPause: goesOn = false
            }
            next += 1
        }
        requests = kept + all[next...]
        return next == all.count
    }

    /// Takes the request of this exchange out; false where there is none.
    func remove(_ exchange: HTTPExchange) -> Bool {
        guard let index = requests.firstIndex(where: { $0.exchange === exchange }) else { return false }
        requests.remove(at: index)
        return true
    }

    /// Takes all of them out.
    func removeAll() -> [WaitingRequest] {
        defer { requests = [] }
        return requests
    }
}
