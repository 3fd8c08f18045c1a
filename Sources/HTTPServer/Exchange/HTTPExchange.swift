// SPDX-License-Identifier: MIT

/// A request that waits for its answer. Confined to the loop's thread.
///
/// Answered exactly once, now or within ``HTTPLimits/answer``: by ``respond(_:)``, or by ``takeOver()``. One that
/// is not answered in time gets a 503 from the server; an answer after that, or after the client has gone, is ignored.
package final class HTTPExchange {
    package let request: HTTPRequest
    private weak var connection: HTTPConnection?

    init(_ request: HTTPRequest, connection: HTTPConnection) {
        self.request = request
        self.connection = connection
    }

    /// Sends a whole response and closes the connection.
    package func respond(_ response: HTTPResponse) {
        connection?.respond(response)
        connection = nil
    }

    /// Answers HEAD for a response whose body would be streamed: the head alone, without a length.
    package func respondWithHead(of response: HTTPResponse) {
        connection?.respondWithHead(of: response)
        connection = nil
    }

    /// Gives the socket to the caller, who sends everything from the first byte of the head on, and closes it.
    ///
    /// Nil where the client has gone or the exchange has been answered.
    package func takeOver() -> HTTPSocket? {
        defer { connection = nil }
        return connection?.release()
    }
}
