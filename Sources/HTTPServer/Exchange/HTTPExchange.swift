// SPDX-License-Identifier: MIT

/// A request that waits for its answer. Confined to the loop's thread.
///
/// Answered exactly once, now or within ``HTTPLimits/answer``: by ``respond(_:)``, or by ``takeOver()``. One that
/// is not answered in time gets a 503 from the server; an answer after that, or after the client has gone, is ignored.
package final class HTTPExchange {
    /// Without the password of whoever asks, where the route has users.
    package private(set) var request: HTTPRequest
    /// Fields that its route adds to every answer; whoever takes the socket over sends them in the head.
    package internal(set) var fields: [HTTPField] = []
    private var connection: HTTPConnection?

    init(_ request: HTTPRequest, connection: HTTPConnection) {
        self.request = request
        self.connection = connection
    }

    /// Sends a whole response.
    package func respond(_ response: HTTPResponse) {
        take()?.respond(response.adding(fields))
    }

    /// Answers HEAD for a response whose body would be streamed: the head alone, without a length.
    package func respondWithHead(of response: HTTPResponse) {
        take()?.respondWithHead(of: response.adding(fields))
    }

    /// Gives the socket to the caller, who sends everything from the first byte of the head on, and closes it.
    ///
    /// Nil where the client has gone, the exchange has been answered, or streams have all the places that they may have
    /// (the client then gets a 503): there is nothing left to do.
    package func takeOver() -> HTTPSocket? {
        take()?.release(adding: fields)
    }

    /// Takes the place of a stream already, for an answer that has to wait before it can be one: so those who wait
    /// leave room for pages as streams do. False where there is nothing left to do, see ``takeOver()``.
    package func reserveStream() -> Bool {
        guard let connection else { return false }
        guard connection.reserveStream(adding: fields) else {
            self.connection = nil
            return false
        }
        return true
    }

    /// Calls back once when the client closes its side before it has got an answer; its connection is closed then.
    ///
    /// For clients that are known to close both ways at once: others may say that they will send no more, and wait for
    /// the answer all the same.
    package func whenClientCloses(_ action: @escaping () -> Void) {
        connection?.whenClientCloses(action)
    }

    /// Scheme, host and port by which the client reached us, so that they work for it.
    package var baseURL: String {
        // Clients of HTTP/1.0 need not say for which host they ask.
        if let url = request.baseURL { return url }
        guard let address = connection?.localAddress, !address.host.isUnix else { return "http://localhost" }
        return "http://\(address.withoutScope)"
    }

    /// Whether a program of this machine asks, for nobody else that we know of.
    package var isFromThisMachine: Bool {
        let peer = request.peer.host
        guard request.client == peer else { return false }
        return peer.isUnix || IPNetwork.loopback.contain(peer) || connection?.localAddress?.host == peer
    }

    func forgetCredentials() {
        request.head.fields.removeAll { $0.name == "authorization" }
    }

    /// The credentials were right.
    func confirmUser() { request.isUser = true }

    /// The connection, once.
    private func take() -> HTTPConnection? {
        defer { connection = nil }
        return connection
    }
}

extension HTTPResponse {
    /// With fields that it does not name itself.
    func adding(_ others: [HTTPField]) -> HTTPResponse {
        guard !others.isEmpty else { return self }
        var response = self
        for field in others where !fields.contains(where: { $0.name == field.name }) { response.fields.append(field) }
        return response
    }
}
