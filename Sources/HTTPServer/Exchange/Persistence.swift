// SPDX-License-Identifier: MIT

/// Decides whether a connection is kept for another request after the present answer. A value without I/O.
///
/// A connection is kept only if its next byte certainly begins the next request: the head conformed to RFC 9112 to the
/// letter, and nothing arrived between the head and the end of the answer. Then neither this server nor a proxy in
/// between can mistake part of one request for another (request smuggling).
struct Persistence {
    private let most: Int
    private var requests = 0
    /// Whether the request permits keeping the connection.
    private var isPossible = false
    /// Whether request and answer permit keeping the connection.
    private(set) var isKept = false

    /// `most` is the maximum number of requests per connection.
    init(most: Int) {
        self.most = most
    }

    mutating func begin(_ head: HTTPRequestHead) {
        requests += 1
        isPossible = head.isStrict && head.wantsConnectionKept && requests < most
    }

    /// Rules out keeping the connection. Call it if the client has sent data before its answer was complete, if the
    /// client has half-closed, or if there is no request that could be answered.
    mutating func giveUp() {
        (isPossible, isKept) = (false, false)
    }

    /// Decides by the status of the answer whether the connection is kept. A client that is refused or told to come
    /// back later need not stay connected.
    mutating func answer(_ status: HTTPStatus) {
        isKept = isPossible && status.rawValue < 500 && status != .tooManyRequests
    }
}
