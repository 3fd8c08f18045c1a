// SPDX-License-Identifier: MIT

/// Whether a connection is kept for another request when the present one has been answered. A value without I/O.
///
/// Only where its next byte begins the next request for sure: the head was read to the letter, and nothing came behind
/// it before its answer. So nothing of one request can be taken for another by us and by somebody in between (request
/// smuggling).
struct Persistence {
    private let most: Int
    private var requests = 0
    /// As far as the request goes.
    private var isPossible = false
    /// As far as the answer goes, too.
    private(set) var isKept = false

    /// Of a connection that carries so many requests.
    init(most: Int) {
        self.most = most
    }

    mutating func begin(_ head: HTTPRequestHead) {
        requests += 1
        isPossible = head.isStrict && head.wantsConnectionKept && requests < most
    }

    /// Not now: the client has sent something before it has got its whole answer, or has said that it sends no more; or
    /// there is no request that could be answered.
    mutating func giveUp() {
        (isPossible, isKept) = (false, false)
    }

    /// Whoever is sent away, or told to come later, need not stay.
    mutating func answer(_ status: HTTPStatus) {
        isKept = isPossible && status.rawValue < 500 && status != .tooManyRequests
    }
}
